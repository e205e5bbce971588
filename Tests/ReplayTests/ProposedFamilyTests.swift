import SkerryActivity
import SkerryFiles
import Testing

/// The beginnings of definitions that `skerry new` proposes for the devices that people have: small recordings in the form
/// that each family is documented to send.
@Suite("Definitions proposed for families of devices")
struct ProposedFamilyTests {
    @Test("have an activity that starts and ends in states of the device", arguments: families.map(\.name))
    func family(name: String) throws {
        let family = try #require(Self.families.first { $0.name == name })
        let messages = ProposalTests.messages(family.lines)
        let (text, definition) = try #require(try ProposalTests.proposal(messages))
        let kinds = Playback(messages, [definition]).updates.map(\.update.kind)
        #expect(kinds.contains(.started) && kinds.contains(.ended), "\(kinds)\n\(text)")
        #expect(!text.contains("talking"), "nothing is known but that messages come\n\(text)")
    }

    /// The families: a name after `=>`, then lines of a topic and a payload.
    static let families: [(name: String, lines: [(topic: String, payload: String)])] =
        recordings.split(separator: "=> ").map { section in
            let lines = section.split(separator: "\n")
            return (
                String(lines[0]),
                lines.dropFirst().map { line in
                    let parts = line.split(separator: "\t", maxSplits: 1)
                    return (String(parts[0]), String(parts[1]))
                }
            )
        }

    private static let recordings = #"""
        => washer of Home Connect
        homeconnect/washer	{"OperationState":"Ready","DoorState":"Open","PowerState":"On"}
        homeconnect/washer	{"OperationState":"Run","DoorState":"Locked","RemainingProgramTime":5400,"ProgramProgress":0,"ActiveProgram":"Cotton"}
        homeconnect/washer	{"RemainingProgramTime":5340,"ProgramProgress":1}
        homeconnect/washer	{"OperationState":"Pause"}
        homeconnect/washer	{"OperationState":"Run","RemainingProgramTime":5280}
        homeconnect/washer	{"RemainingProgramTime":60,"ProgramProgress":99}
        homeconnect/washer	{"OperationState":"Finished","RemainingProgramTime":0,"ProgramProgress":100}
        homeconnect/washer	{"OperationState":"Ready","DoorState":"Open"}
        => washer of LG
        rethink/6e2f/status	Off
        rethink/6e2f/course	Cotton
        rethink/6e2f/remaining_time	0
        rethink/6e2f/status	Measuring
        rethink/6e2f/remaining_time	92
        rethink/6e2f/status	Washing
        rethink/6e2f/remaining_time	90
        rethink/6e2f/status	Rinsing
        rethink/6e2f/remaining_time	31
        rethink/6e2f/status	Spinning
        rethink/6e2f/remaining_time	8
        rethink/6e2f/status	End
        rethink/6e2f/remaining_time	0
        rethink/6e2f/status	Off
        => plug of Tasmota
        tele/kettle/LWT	Online
        tele/kettle/SENSOR	{"Time":"2026-03-01T10:00:00","ENERGY":{"Total":12.31,"Yesterday":0.4,"Power":0,"Voltage":231,"Current":0.0}}
        tele/kettle/SENSOR	{"Time":"2026-03-01T10:01:00","ENERGY":{"Total":12.31,"Yesterday":0.4,"Power":1,"Voltage":231,"Current":0.0}}
        tele/kettle/SENSOR	{"Time":"2026-03-01T10:02:00","ENERGY":{"Total":12.33,"Yesterday":0.4,"Power":1990,"Voltage":228,"Current":8.7}}
        tele/kettle/SENSOR	{"Time":"2026-03-01T10:03:00","ENERGY":{"Total":12.36,"Yesterday":0.4,"Power":2010,"Voltage":228,"Current":8.8}}
        tele/kettle/SENSOR	{"Time":"2026-03-01T10:04:00","ENERGY":{"Total":12.39,"Yesterday":0.4,"Power":2001,"Voltage":228,"Current":8.7}}
        tele/kettle/SENSOR	{"Time":"2026-03-01T10:05:00","ENERGY":{"Total":12.40,"Yesterday":0.4,"Power":0,"Voltage":231,"Current":0.0}}
        tele/kettle/SENSOR	{"Time":"2026-03-01T10:06:00","ENERGY":{"Total":12.40,"Yesterday":0.4,"Power":0,"Voltage":231,"Current":0.0}}
        tele/kettle/SENSOR	{"Time":"2026-03-01T10:07:00","ENERGY":{"Total":12.40,"Yesterday":0.4,"Power":1,"Voltage":231,"Current":0.0}}
        => plug of Shelly
        shellyplus1pm-a1/online	true
        shellyplus1pm-a1/status/switch:0	{"id":0,"source":"init","output":false,"apower":0.0,"voltage":231.2,"current":0.0,"aenergy":{"total":11.1,"by_minute":[0,0,0],"minute_ts":1772323200}}
        shellyplus1pm-a1/events/rpc	{"src":"shellyplus1pm-a1","dst":"x/events","method":"NotifyStatus","params":{"ts":1772323260.1,"switch:0":{"id":0,"output":true,"source":"switch"}}}
        shellyplus1pm-a1/status/switch:0	{"id":0,"source":"switch","output":true,"apower":1820.3,"voltage":229.2,"current":8.0,"aenergy":{"total":12.1,"by_minute":[30,20,0],"minute_ts":1772323260}}
        shellyplus1pm-a1/status/switch:0	{"id":0,"source":"switch","output":true,"apower":1815.9,"voltage":229.1,"current":8.0,"aenergy":{"total":13.4,"by_minute":[30,30,20],"minute_ts":1772323320}}
        shellyplus1pm-a1/status/switch:0	{"id":0,"source":"switch","output":true,"apower":1817.0,"voltage":229.1,"current":8.0,"aenergy":{"total":14.4,"by_minute":[30,30,30],"minute_ts":1772323380}}
        shellyplus1pm-a1/status/switch:0	{"id":0,"source":"timer","output":false,"apower":0.0,"voltage":231.0,"current":0.0,"aenergy":{"total":15.1,"by_minute":[0,30,30],"minute_ts":1772323440}}
        shellyplus1pm-a1/status/switch:0	{"id":0,"source":"timer","output":false,"apower":0.0,"voltage":231.1,"current":0.0,"aenergy":{"total":15.1,"by_minute":[0,0,30],"minute_ts":1772323500}}
        => plug of zigbee2mqtt
        zigbee2mqtt/bridge/state	{"state":"online"}
        zigbee2mqtt/Dryer	{"state":"ON","power":2,"energy":80.1,"linkquality":120,"voltage":230,"update":{"state":"idle","installed_version":17}}
        zigbee2mqtt/Dryer	{"state":"ON","power":1,"energy":80.1,"linkquality":121,"voltage":230,"update":{"state":"idle","installed_version":17}}
        zigbee2mqtt/Dryer	{"state":"ON","power":2210,"energy":80.2,"linkquality":118,"voltage":228,"update":{"state":"idle","installed_version":17}}
        zigbee2mqtt/Dryer	{"state":"ON","power":2200,"energy":80.3,"linkquality":118,"voltage":228,"update":{"state":"idle","installed_version":17}}
        zigbee2mqtt/Dryer	{"state":"ON","power":2190,"energy":80.4,"linkquality":118,"voltage":228,"update":{"state":"idle","installed_version":17}}
        zigbee2mqtt/Dryer	{"state":"ON","power":2,"energy":80.5,"linkquality":120,"voltage":230,"update":{"state":"idle","installed_version":17}}
        zigbee2mqtt/Dryer	{"state":"ON","power":1,"energy":80.5,"linkquality":120,"voltage":230,"update":{"state":"idle","installed_version":17}}
        zigbee2mqtt/Dryer	{"state":"ON","power":2,"energy":80.5,"linkquality":120,"voltage":230,"update":{"state":"idle","installed_version":17}}
        => valve of LinkTap
        linktap/B1/status	{"is_watering":false,"total_duration":0,"remain_duration":0,"plan_mode":0,"battery":88}
        linktap/B1/status	{"is_watering":true,"total_duration":600,"remain_duration":600,"plan_mode":1,"battery":88}
        linktap/B1/status	{"is_watering":true,"total_duration":600,"remain_duration":540,"plan_mode":1,"battery":88}
        linktap/B1/status	{"is_watering":true,"total_duration":600,"remain_duration":60,"plan_mode":1,"battery":88}
        linktap/B1/status	{"is_watering":false,"total_duration":0,"remain_duration":0,"plan_mode":1,"battery":88}
        => printer of Bambu
        device/01S00A/report	{"print":{"command":"push_status","gcode_state":"IDLE","mc_percent":0,"mc_remaining_time":0,"subtask_name":"","wifi_signal":"-44dBm"}}
        device/01S00A/report	{"print":{"command":"push_status","gcode_state":"PREPARE","subtask_name":"cube"}}
        device/01S00A/report	{"print":{"command":"push_status","gcode_state":"RUNNING","mc_percent":1,"mc_remaining_time":43}}
        device/01S00A/report	{"print":{"command":"push_status","mc_percent":50,"mc_remaining_time":20,"layer_num":18}}
        device/01S00A/report	{"print":{"command":"push_status","gcode_state":"PAUSE"}}
        device/01S00A/report	{"print":{"command":"push_status","gcode_state":"RUNNING","mc_percent":90,"mc_remaining_time":4}}
        device/01S00A/report	{"print":{"command":"push_status","gcode_state":"FINISH","mc_percent":100,"mc_remaining_time":0}}
        => printer on OctoPrint
        octoPrint/mqtt	connected
        octoPrint/event/PrintStarted	{"_event":"PrintStarted","_timestamp":1772323200,"name":"cube.gcode","path":"cube.gcode","origin":"local","size":88123}
        octoPrint/progress/printing	{"location":"local","path":"cube.gcode","progress":0,"_timestamp":1772323210,"printer_data":{"progress":{"completion":0.1,"printTime":4,"printTimeLeft":900},"state":{"text":"Printing"}}}
        octoPrint/progress/printing	{"location":"local","path":"cube.gcode","progress":23,"_timestamp":1772323410,"printer_data":{"progress":{"completion":23.1,"printTime":210,"printTimeLeft":690},"state":{"text":"Printing"}}}
        octoPrint/event/PrintPaused	{"_event":"PrintPaused","_timestamp":1772323500,"name":"cube.gcode","path":"cube.gcode","origin":"local","size":88123}
        octoPrint/event/PrintResumed	{"_event":"PrintResumed","_timestamp":1772323560,"name":"cube.gcode","path":"cube.gcode","origin":"local","size":88123}
        octoPrint/progress/printing	{"location":"local","path":"cube.gcode","progress":77,"_timestamp":1772323910,"printer_data":{"progress":{"completion":77.1,"printTime":710,"printTimeLeft":190},"state":{"text":"Printing"}}}
        octoPrint/progress/printing	{"location":"local","path":"cube.gcode","progress":100,"_timestamp":1772324100,"printer_data":{"progress":{"completion":100.0,"printTime":900,"printTimeLeft":0},"state":{"text":"Operational"}}}
        octoPrint/event/PrintDone	{"_event":"PrintDone","_timestamp":1772324110,"name":"cube.gcode","path":"cube.gcode","origin":"local","time":900}
        => printer on Klipper
        voron/moonraker/status	{"server":"online"}
        voron/klipper/status	{"eventtime":5100.2,"status":{"print_stats":{"state":"standby","filename":"","print_duration":0.0}}}
        voron/klipper/status	{"eventtime":5123.2,"status":{"print_stats":{"state":"printing","filename":"benchy.gcode","print_duration":3.5},"virtual_sdcard":{"progress":0.01}}}
        voron/klipper/status	{"eventtime":5423.2,"status":{"print_stats":{"print_duration":300.5},"virtual_sdcard":{"progress":0.43}}}
        voron/klipper/status	{"eventtime":5523.2,"status":{"print_stats":{"state":"paused"}}}
        voron/klipper/status	{"eventtime":5623.2,"status":{"print_stats":{"state":"printing"},"virtual_sdcard":{"progress":0.83}}}
        voron/klipper/status	{"eventtime":5823.2,"status":{"print_stats":{"state":"complete","print_duration":610.5},"virtual_sdcard":{"progress":1.0}}}
        => robot with Valetudo
        valetudo/robby/$state	ready
        valetudo/robby/StatusStateAttribute/status	docked
        valetudo/robby/BatteryStateAttribute/level	100
        valetudo/robby/StatusStateAttribute/status	cleaning
        valetudo/robby/CurrentStatisticsCapability/area	12000
        valetudo/robby/BatteryStateAttribute/level	91
        valetudo/robby/CurrentStatisticsCapability/area	240000
        valetudo/robby/StatusStateAttribute/status	returning
        valetudo/robby/BatteryStateAttribute/level	78
        valetudo/robby/StatusStateAttribute/status	docked
        valetudo/robby/BatteryStateAttribute/level	80
        => robot of iRobot
        $aws/things/3117C6/shadow/update	{"state":{"reported":{"cleanMissionStatus":{"cycle":"none","phase":"charge","expireM":0,"rechrgM":0,"error":0,"mssnM":0,"sqft":0,"nMssn":66},"batPct":100}}}
        $aws/things/3117C6/shadow/update	{"state":{"reported":{"cleanMissionStatus":{"cycle":"clean","phase":"run","expireM":0,"rechrgM":0,"error":0,"mssnM":1,"sqft":8,"nMssn":67},"batPct":98}}}
        $aws/things/3117C6/shadow/update	{"state":{"reported":{"cleanMissionStatus":{"cycle":"clean","phase":"run","expireM":0,"rechrgM":0,"error":0,"mssnM":20,"sqft":180,"nMssn":67},"batPct":70}}}
        $aws/things/3117C6/shadow/update	{"state":{"reported":{"cleanMissionStatus":{"cycle":"clean","phase":"hmPostMsn","expireM":0,"rechrgM":0,"error":0,"mssnM":31,"sqft":280,"nMssn":67},"batPct":60}}}
        $aws/things/3117C6/shadow/update	{"state":{"reported":{"cleanMissionStatus":{"cycle":"none","phase":"charge","expireM":0,"rechrgM":0,"error":0,"mssnM":0,"sqft":0,"nMssn":67},"batPct":60}}}
        => car at OpenEVSE
        openevse/state	1
        openevse/vehicle	0
        openevse/amp	0
        openevse/session_elapsed	0
        openevse/state	2
        openevse/vehicle	1
        openevse/state	3
        openevse/amp	15800
        openevse/session_elapsed	60
        openevse/amp	15900
        openevse/session_elapsed	120
        openevse/state	2
        openevse/amp	0
        openevse/state	1
        openevse/vehicle	0
        => car at evcc
        evcc/loadpoints/1/connected	false
        evcc/loadpoints/1/charging	false
        evcc/loadpoints/1/chargePower	0
        evcc/loadpoints/1/connected	true
        evcc/loadpoints/1/charging	true
        evcc/loadpoints/1/chargePower	11000
        evcc/loadpoints/1/chargeRemainingDuration	5400
        evcc/loadpoints/1/vehicleSoc	40
        evcc/loadpoints/1/chargePower	10900
        evcc/loadpoints/1/chargeRemainingDuration	5300
        evcc/loadpoints/1/vehicleSoc	80
        evcc/loadpoints/1/charging	false
        evcc/loadpoints/1/chargePower	0
        evcc/loadpoints/1/connected	false
        => car of TeslaMate
        teslamate/cars/1/state	asleep
        teslamate/cars/1/battery_level	55
        teslamate/cars/1/plugged_in	false
        teslamate/cars/1/state	online
        teslamate/cars/1/plugged_in	true
        teslamate/cars/1/state	charging
        teslamate/cars/1/time_to_full_charge	2.5
        teslamate/cars/1/battery_level	60
        teslamate/cars/1/time_to_full_charge	1.25
        teslamate/cars/1/battery_level	80
        teslamate/cars/1/time_to_full_charge	0.0
        teslamate/cars/1/state	online
        teslamate/cars/1/plugged_in	false
        teslamate/cars/1/state	asleep
        => espresso machine
        meticulous/bar/status	idle
        meticulous/bar/status	heating
        meticulous/bar/status	Prefill
        meticulous/bar/sensors	{"p":2.1,"f":3.3,"w":0.0,"t":91.2}
        meticulous/bar/status	Extraction
        meticulous/bar/sensors	{"p":8.9,"f":2.1,"w":12.0,"t":91.0}
        meticulous/bar/sensors	{"p":8.8,"f":2.0,"w":31.0,"t":91.1}
        meticulous/bar/status	retracting
        meticulous/bar/status	idle
        => orders of a kitchen
        shop/orders	{"order":4711,"status":"received","customer":"ada","eta":25}
        shop/orders	{"order":4712,"status":"received","customer":"bob","eta":30}
        shop/orders	{"order":4711,"status":"preparing","customer":"ada","eta":20}
        shop/orders	{"order":4711,"status":"baking","customer":"ada","eta":12}
        shop/orders	{"order":4712,"status":"preparing","customer":"bob","eta":22}
        shop/orders	{"order":4711,"status":"out_for_delivery","customer":"ada","eta":6}
        shop/orders	{"order":4711,"status":"delivered","customer":"ada","eta":0}
        shop/orders	{"order":4712,"status":"delivered","customer":"bob","eta":0}
        => match
        match/42/score	{"state":"scheduled","home":0,"away":0,"minute":0}
        match/42/score	{"state":"first_half","home":0,"away":0,"minute":1}
        match/42/score	{"state":"first_half","home":1,"away":0,"minute":30}
        match/42/score	{"state":"half_time","home":1,"away":0,"minute":45}
        match/42/score	{"state":"second_half","home":1,"away":1,"minute":70}
        match/42/score	{"state":"ended","home":1,"away":1,"minute":90}
        => grill of Traeger
        prod/thing/update/GRILL1	{"status":{"system_status":2,"cook_timer_start":0,"cook_timer_end":0,"cook_timer_complete":0,"probe":0,"set":0,"grill":20}}
        prod/thing/update/GRILL1	{"status":{"system_status":4,"cook_timer_start":0,"cook_timer_end":0,"cook_timer_complete":0,"probe":20,"set":110,"grill":60}}
        prod/thing/update/GRILL1	{"status":{"system_status":6,"cook_timer_start":1772323320,"cook_timer_end":1772330520,"cook_timer_complete":0,"probe":30,"set":110,"grill":108}}
        prod/thing/update/GRILL1	{"status":{"system_status":6,"cook_timer_start":1772323320,"cook_timer_end":1772330520,"cook_timer_complete":0,"probe":60,"set":110,"grill":110}}
        prod/thing/update/GRILL1	{"status":{"system_status":8,"cook_timer_start":0,"cook_timer_end":0,"cook_timer_complete":1,"probe":90,"set":0,"grill":100}}
        prod/thing/update/GRILL1	{"status":{"system_status":9,"cook_timer_start":0,"cook_timer_end":0,"cook_timer_complete":0,"probe":70,"set":0,"grill":50}}
        prod/thing/update/GRILL1	{"status":{"system_status":2,"cook_timer_start":0,"cook_timer_end":0,"cook_timer_complete":0,"probe":0,"set":0,"grill":20}}
        => module of a factory
        module/v1/ff/SVR3QA/state	{"headerId":1,"serialNumber":"SVR3QA","orderId":"","actionState":{"id":"","command":"","state":"FINISHED"},"paused":false,"errors":[]}
        module/v1/ff/SVR3QA/state	{"headerId":2,"serialNumber":"SVR3QA","orderId":"o1","actionState":{"id":"a1","command":"DRILL","state":"PENDING"},"paused":false,"errors":[]}
        module/v1/ff/SVR3QA/state	{"headerId":3,"serialNumber":"SVR3QA","orderId":"o1","actionState":{"id":"a1","command":"DRILL","state":"RUNNING"},"paused":false,"errors":[]}
        module/v1/ff/SVR3QA/state	{"headerId":4,"serialNumber":"SVR3QA","orderId":"o1","actionState":{"id":"a1","command":"DRILL","state":"FINISHED"},"paused":false,"errors":[]}
        module/v1/ff/SVR3QA/state	{"headerId":5,"serialNumber":"SVR3QA","orderId":"","actionState":{"id":"","command":"","state":"FINISHED"},"paused":false,"errors":[]}
        => kiln
        kiln/garage/status	{"state":"IDLE","temperature":20.1,"target":0,"time_left":0,"profile":"bisque"}
        kiln/garage/status	{"state":"RUNNING","temperature":25.1,"target":30,"time_left":7200,"profile":"bisque"}
        kiln/garage/status	{"state":"RUNNING","temperature":625.1,"target":630,"time_left":3600,"profile":"bisque"}
        kiln/garage/status	{"state":"RUNNING","temperature":1010.1,"target":1012,"time_left":60,"profile":"bisque"}
        kiln/garage/status	{"state":"IDLE","temperature":1000.1,"target":0,"time_left":0,"profile":"bisque"}
        => oven of Anova
        anova/oven1/state	{"mode":"idle","timer":{"mode":"idle","initial":0,"current":0},"temperature":21.2}
        anova/oven1/state	{"mode":"cook","timer":{"mode":"running","initial":1800,"current":1800},"temperature":90.2}
        anova/oven1/state	{"mode":"cook","timer":{"mode":"running","initial":1800,"current":900},"temperature":180.2}
        anova/oven1/state	{"mode":"cook","timer":{"mode":"completed","initial":1800,"current":0},"temperature":180.2}
        anova/oven1/state	{"mode":"idle","timer":{"mode":"idle","initial":0,"current":0},"temperature":170.2}
        => washer of Candy
        hon/washer/attributes	{"machMode":"7","prPhase":"0","remTime":"0","doorLockStatus":"0","errors":"00"}
        hon/washer/attributes	{"machMode":"2","prPhase":"1","remTime":"74","doorLockStatus":"1","errors":"00"}
        hon/washer/attributes	{"machMode":"2","prPhase":"3","remTime":"20","doorLockStatus":"1","errors":"00"}
        hon/washer/attributes	{"machMode":"7","prPhase":"0","remTime":"0","doorLockStatus":"0","errors":"00"}
        => sauna of HUUM
        sauna/huum/status	{"statusCode":232,"door":true,"temperature":"22","steamerError":false}
        sauna/huum/status	{"statusCode":231,"door":true,"temperature":"23","targetTemperature":"85","startDate":1772323260,"endDate":1772334060,"duration":180}
        sauna/huum/status	{"statusCode":231,"door":true,"temperature":"61","targetTemperature":"85","startDate":1772323260,"endDate":1772334060,"duration":180}
        sauna/huum/status	{"statusCode":232,"door":true,"temperature":"80","steamerError":false}
        => printer of Prusa
        prusa/mk4/status	{"printer":{"state":"IDLE","temp_bed":22.5,"temp_nozzle":23.2}}
        prusa/mk4/status	{"job":{"id":420,"progress":1.0,"time_remaining":5400,"time_printing":60},"printer":{"state":"PRINTING","temp_bed":60.1,"temp_nozzle":214.9}}
        prusa/mk4/status	{"job":{"id":420,"progress":2.0,"time_remaining":5340,"time_printing":120},"printer":{"state":"PRINTING","temp_bed":60.0,"temp_nozzle":215.1}}
        prusa/mk4/status	{"job":{"id":420,"progress":100.0,"time_remaining":0,"time_printing":5460},"printer":{"state":"FINISHED","temp_bed":58.1,"temp_nozzle":180.3}}
        => dryer on ESPHome
        heat-pump/text_sensor/phase/state	Idle
        heat-pump/sensor/remaining_time/state	0
        heat-pump/text_sensor/phase/state	Drying
        heat-pump/sensor/remaining_time/state	115
        heat-pump/sensor/power/state	512.3
        heat-pump/sensor/remaining_time/state	60
        heat-pump/text_sensor/phase/state	Finished
        heat-pump/sensor/power/state	1.2
        => dryer of Samsung
        smartthings/Dryer/machineState	stop
        smartthings/Dryer/dryerJobState	none
        smartthings/Dryer/completionTime	2026-03-01T00:05:00Z
        smartthings/Dryer/machineState	run
        smartthings/Dryer/dryerJobState	drying
        smartthings/Dryer/completionTime	2026-03-01T02:05:00Z
        smartthings/Dryer/dryerJobState	cooling
        smartthings/Dryer/machineState	stop
        smartthings/Dryer/dryerJobState	finished
        => oven of a German house
        haus/ofen	{"zustand":"bereit","restzeit":0}
        haus/ofen	{"zustand":"läuft","restzeit":20}
        haus/ofen	{"zustand":"läuft","restzeit":19}
        haus/ofen	{"zustand":"fertig","restzeit":0}
        """#
}
