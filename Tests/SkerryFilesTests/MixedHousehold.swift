import SkerryFiles
import SkerryValues

/// The messages of a house with devices of many families, and of much that no definition may claim.
///
/// Each line has a topic, a `!` if the message is a retained one, and a payload. What follows `=>` are the devices that the
/// lines below tell of, until the next such line; likely ones have a `?`.
enum MixedHousehold {
    /// The messages, with the devices that they tell of.
    static let sections: [(devices: [String], messages: [RecordedMessage])] = {
        var sections: [(devices: [String], messages: [RecordedMessage])] = []
        var second: Int64 = 0
        for line in text.split(separator: "\n") {
            if line.hasPrefix("=>") {
                sections.append((line.dropFirst(2).split(separator: " ").map(String.init), []))
                continue
            }
            let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
            second += 1
            sections[sections.count - 1].messages.append(
                RecordedMessage(
                    at: Timestamp(seconds: 1_767_225_600 + second),
                    topic: ArraySlice(parts[0].utf8),
                    payload: ArraySlice(parts[2].utf8),
                    isRetained: parts[1] == "!"
                )
            )
        }
        return sections
    }()

    private static let text = devices + strangers

    private static let devices = #"""
        => printer-bambu/01S00A2B3C4D
        device/01S00A2B3C4D/report	.	{"print":{"command":"push_status","gcode_state":"RUNNING","mc_percent":12,"mc_remaining_time":43,"layer_num":8,"msg":1,"sequence_id":"2021"}}
        => washer-plug/Waschmaschine? plug-zigbee2mqtt/Aquarium?
        zigbee2mqtt/bridge/devices	!	[{"ieee_address":"0x11","type":"Router","friendly_name":"Waschmaschine","definition":{"model":"TS011F_plug_1","vendor":"Tuya","exposes":[{"type":"switch","features":[{"name":"state"}]},{"type":"numeric","name":"power"}]}},{"ieee_address":"0x12","type":"Router","friendly_name":"Aquarium","definition":{"model":"TS011F_plug_1","vendor":"Tuya","exposes":[{"type":"switch","features":[{"name":"state"}]},{"type":"numeric","name":"power"}]}},{"ieee_address":"0x13","type":"Router","friendly_name":"stairs","definition":{"model":"TS0011","vendor":"Tuya","exposes":[{"type":"switch","features":[{"name":"state"}]}]}}]
        zigbee2mqtt/Waschmaschine/availability	!	{"state":"online"}
        => plug-tasmota/tasmota_5B2F11?
        tasmota/discovery/AABBCC5B2F11/config	!	{"ip":"10.0.0.12","dn":"Tasmota","fn":["Aquarium"],"hn":"tasmota-5B2F11","mac":"AABBCC5B2F11","md":"Gosund SP1","ty":0,"if":0,"ofln":"Offline","onln":"Online","state":["OFF","ON","TOGGLE","HOLD"],"sw":"13.1.0","t":"tasmota_5B2F11","ft":"%prefix%/%topic%/","tp":["cmnd","stat","tele"],"rl":[1,0,0,0],"swc":[-1,-1],"btn":[0],"so":{},"lk":1,"lt_st":0,"ver":1}
        tasmota/discovery/AABBCC5B2F11/sensors	!	{"sn":{"Time":"2026-01-01T00:00:30","ENERGY":{"TotalStartTime":"2025-01-01T00:00:00","Total":12.3,"Yesterday":0.1,"Today":0.1,"Power":0,"Voltage":230}},"ver":1}
        tele/tasmota_5B2F11/LWT	!	Online
        => printer-octoprint/octoPrint
        octoPrint/mqtt	!	connected
        octoPrint/event/PrintStarted	.	{"_event":"PrintStarted","_timestamp":1767225600,"name":"cube.gcode","path":"cube.gcode","origin":"local","size":88123}
        octoPrint/progress/printing	!	{"location":"local","path":"cube.gcode","progress":23,"_timestamp":1767225600}
        => printer-moonraker/voron
        voron/moonraker/status	!	{"server":"online"}
        voron/klipper/status	.	{"eventtime":5123.2,"status":{"print_stats":{"state":"printing","filename":"benchy.gcode","print_duration":300.5},"virtual_sdcard":{"progress":0.13}}}
        => robot-roborock/rosie
        home/roborock/rosie/status	!	{"state":"segment_cleaning","battery":87,"fan_speed":"balanced","error_code":0,"in_cleaning":true}
        => robot-valetudo/robby
        valetudo/robby/$state	!	ready
        valetudo/robby/StatusStateAttribute/status	!	cleaning
        valetudo/robby/BatteryStateAttribute/level	!	88
        => robot-roomba/3117C60012345678
        $aws/things/3117C60012345678/shadow/update	.	{"state":{"reported":{"cleanMissionStatus":{"cycle":"clean","phase":"run","expireM":0,"rechrgM":0,"error":0,"mssnM":10,"sqft":80,"nMssn":66},"batPct":88}}}
        => mower-landroid/landroid
        landroid/status/batteryLevel	!	88
        landroid/status/statusCode	!	7
        => charger-openwb/3
        openWB/chargepoint/3/get/plug_state	!	true
        openWB/chargepoint/3/get/charge_state	!	true
        => charger-warp/AbC
        warp2/AbC/evse/state	!	{"iec61851_state":2,"charger_state":3,"contactor_state":3,"error_state":0}
        warp2/AbC/meter/values	!	{"power":10914.8,"energy_rel":20.4,"energy_abs":823.1}
        => thermometer-meat/A0E6F8000001
        home/OpenMQTTGateway/BTtoMQTT/A0E6F8000001	.	{"id":"A0:E6:F8:00:00:01","name":"iBBQ","rssi":-60,"brand":"Inkbird","model_id":"IBT-2X","tempc":21.5,"tempf":70.7,"tempc2":112}
        => toothbrush-oralb/5C313E000001
        home/OpenMQTTGateway/BTtoMQTT/5C313E000001	.	{"id":"5C:31:3E:00:00:01","rssi":-61,"brand":"Oral-B","model_id":"ORALB_BT","state":"idle","mode":"daily clean","duration":0}
        => charger-openevse/openevse
        openevse/state	.	3
        openevse/amp	.	15800
        openevse/session_elapsed	.	620
        openevse/session_energy	.	1200
        openevse/vehicle	.	1
        => charger-goe/214680
        /go-eCharger/214680/car	!	2
        /go-eCharger/214680/wh	!	4321.5
        /go-eCharger/214680/nrg	!	[230,231,229,0,10.1,10,10,2300,2310,2290,0,6900,99,99,99,0]
        /go-eCharger/214680/modelStatus	!	15
        => charger-evcc/1
        evcc/status	!	online
        evcc/loadpoints/1/connected	!	true
        evcc/loadpoints/1/charging	!	true
        evcc/loadpoints/1/mode	!	pv
        evcc/loadpoints/1/chargePower	!	6900
        evcc/loadpoints/1/chargeRemainingDuration	!	5400
        => charger-wallbox/412345
        wallbox_412345/availability	!	online
        wallbox_412345/lock/state	!	0
        wallbox_412345/cable_connected/state	!	1
        wallbox_412345/charging_power/state	!	7214.6
        wallbox_412345/added_energy/state	!	3400
        wallbox_412345/status/state	!	Charging
        => car-teslamate/1
        teslamate/cars/1/display_name	!	Blue
        teslamate/cars/1/state	!	charging
        teslamate/cars/1/plugged_in	!	true
        teslamate/cars/1/battery_level	!	51
        teslamate/cars/1/time_to_full_charge	!	1.83
        => car-carconnectivity/WVWZZZE1ZNP000001
        carconnectivity/0/plugins/mqtt/connection_state	!	connected
        carconnectivity/0/garage/WVWZZZE1ZNP000001/name	!	Green
        carconnectivity/0/garage/WVWZZZE1ZNP000001/state	!	parked
        carconnectivity/0/garage/WVWZZZE1ZNP000001/drives/primary/type	!	electric
        carconnectivity/0/garage/WVWZZZE1ZNP000001/drives/primary/level	!	41.0
        carconnectivity/0/garage/WVWZZZE1ZNP000001/charging/state	!	ready_for_charging
        carconnectivity/0/garage/WVWZZZE1ZNP000001/charging/connector/connection_state	!	connected
        => car-bmw/WBA00000000000001
        bmw/status	!	{"connected":true,"timestamp":1767225600}
        bmw/raw/WBA00000000000001	.	{"vin":"WBA00000000000001","entityId":"0a1b","topic":"WBA00000000000001","timestamp":"2026-01-01T00:00:00.000Z","data":{"vehicle.drivetrain.electricEngine.charging.status":{"timestamp":"2026-01-01T00:00:00.000Z","unit":null,"value":"NOCHARGING"}}}
        => boiler-ems-esp/ems-esp
        ems-esp/status	!	online
        ems-esp/boiler_data	.	{"heatingactive":"off","tapwateractive":"off","selflowtemp":20,"burngas":"off","dhw":{"settemp":61,"type":"buffer","curtemp":43.3,"disinfecting":"off","tempok":"on"}}
        => washer-lg/0a1b2c3d
        rethink/0a1b2c3d/status	!	Washing
        rethink/0a1b2c3d/course	!	Cotton
        rethink/0a1b2c3d/remaining_time	!	61
        rethink/0a1b2c3d/spin	!	1400
        => washer-lg/0a1b2c3f? dishwasher-lg/0a1b2c3f
        rethink/0a1b2c3f/status	!	Washing
        rethink/0a1b2c3f/process	!	Washing
        rethink/0a1b2c3f/course	!	Auto
        rethink/0a1b2c3f/remaining_time	!	61
        rethink/0a1b2c3f/rinse_level	!	2
        => dryer-lg/0a1b2c3e
        rethink/0a1b2c3e/power	!	ON
        rethink/0a1b2c3e/status	!	Drying
        rethink/0a1b2c3e/course	!	Towels
        rethink/0a1b2c3e/remaining_time	!	38
        rethink/0a1b2c3e/dry_level	!	More
        => washer-ge/FrontLoadWasher dryer-ge/Dryer dishwasher-ge/Dishwasher
        geappliances/FrontLoadWasher/erd/0x0008/value	!	02
        geappliances/FrontLoadWasher/erd/0x2000/value	!	02
        geappliances/Dryer/erd/0x0008/value	!	01
        geappliances/Dryer/erd/0x2000/value	!	00
        geappliances/Dishwasher/erd/0x0008/value	!	06
        geappliances/Dishwasher/erd/0x3001/value	!	05
        => washer/washer
        homeconnect/washer/LWT	!	online
        homeconnect/washer/state	!	{"OperationState":"Run","ActiveProgram":"LaundryCare.Washer.Program.Cotton","RemainingProgramTime":2400}
        => washer/SIEMENS-WM14
        homeconnect/connected	!	2
        homeconnect/status/SIEMENS-WM14/online	!	{"val":true,"ts":1767225600000}
        homeconnect/status/SIEMENS-WM14/BSH/Common/Status/OperationState	!	{"val":"Ready","ts":1767225600000}
        homeconnect/status/SIEMENS-WM14/LaundryCare/Washer/Option/SpinSpeed	!	{"val":"RPM1400","ts":1767225600000}
        => dishwasher/dishwasher?
        homeconnect/dishwasher	!	{"state":"Run","door":"Closed","remaining":"2:49","remainingseconds":10140,"power":true,"program":"Eco50","error":null}
        => sprinkler/3
        opensprinkler/station/3	.	{"state":1,"duration":600}
        => washer-plug/cellar?
        plug/washingmachine/cellar/power	.	412.5
        => dishwasher-plug/kitchen?
        plug/dishwasher/kitchen/power	.	61
        => dryer-plug/cellar?
        plug/dryer/cellar/power	.	2210
        => kettle-plug/kitchen?
        plug/waterkettle/kitchen/power	.	1980
        => coffee-maker-plug/kitchen?
        plug/coffeemaker/kitchen/power	.	980
        => plug-tasmota/boiler
        tele/boiler/LWT	!	Online
        tele/boiler/STATE	.	{"Time":"2026-01-01T00:00:30","Uptime":"1T03:00:12","POWER":"ON","Wifi":{"AP":1,"RSSI":70}}
        tele/boiler/SENSOR	.	{"Time":"2026-01-01T00:00:30","ENERGY":{"TotalStartTime":"2025-01-01T00:00:00","Total":12.3,"Yesterday":0.4,"Today":0.1,"Power":34,"ApparentPower":40,"Factor":0.85,"Voltage":231,"Current":0.17}}
        => plug-shelly/shellyplusplugs-a8032abe54dc
        shellyplusplugs-a8032abe54dc/online	!	true
        shellyplusplugs-a8032abe54dc/status/switch:0	!	{"id":0,"source":"timer","output":true,"apower":8.9,"voltage":230.1,"current":0.05,"aenergy":{"total":6.5,"by_minute":[45.2,47.1,88.4],"minute_ts":1767225600},"timer_started_at":1767225600.02,"timer_duration":1800.0,"temperature":{"tC":42.1,"tF":107.8}}
        shellyplusplugs-a8032abe54dc/events/rpc	.	{"src":"shellyplusplugs-a8032abe54dc","dst":"shellyplusplugs-a8032abe54dc/events","method":"NotifyStatus","params":{"ts":1767225600.12,"switch:0":{"id":0,"apower":9.1}}}
        => kettle-plug/wasserkocher? coffee-maker-plug/espresso?
        tele/wasserkocher/LWT	!	Online
        tele/wasserkocher/STATE	.	{"Time":"2026-01-01T00:00:30","Uptime":"1T03:00:12","POWER":"ON","Wifi":{"AP":1,"RSSI":70}}
        tele/wasserkocher/SENSOR	.	{"Time":"2026-01-01T00:00:30","ENERGY":{"TotalStartTime":"2025-01-01T00:00:00","Total":12.3,"Yesterday":0.4,"Today":0.1,"Power":2034,"Voltage":231,"Current":8.8}}
        tele/espresso/SENSOR	.	{"Time":"2026-01-01T00:00:30","ENERGY":{"Total":1.3,"Power":[3,0],"Voltage":231}}
        => dryer-plug/trockner? oven-plug/herd? heat-pump-plug/heatpump?
        trockner/online	!	true
        trockner/status/switch:0	!	{"id":0,"source":"init","output":true,"apower":1.9,"voltage":230.1,"current":0.05,"aenergy":{"total":6.5,"by_minute":[45.2,47.1,88.4],"minute_ts":1767225600},"temperature":{"tC":42.1,"tF":107.8}}
        trockner/events/rpc	.	{"src":"shellyplusplugs-a8032abe54dd","dst":"trockner/events","method":"NotifyStatus","params":{"ts":1767225600.12,"switch:0":{"id":0,"apower":2.1}}}
        herd/events/rpc	.	{"src":"shellypro1pm-a8032abe54de","dst":"herd/events","method":"NotifyStatus","params":{"ts":1767225600.12,"switch:0":{"id":0,"apower":20.1}}}
        shellies/heatpump/relay/0/power	.	45.10
        => valve-zigbee2mqtt/roses
        zigbee2mqtt/roses	.	{"state":"ON","flow":0.6,"battery":90,"linkquality":120,"current_device_status":"normal_state","cyclic_timed_irrigation":{"current_count":0,"total_number":1,"irrigation_duration":600,"irrigation_interval":0}}
        => washer-plug/Waschmaschine?
        zigbee2mqtt/Waschmaschine	.	{"state":"ON","power":412,"energy":120.4,"voltage":231,"current":1.8,"linkquality":90}
        => plug-zigbee2mqtt/socket3?
        zigbee2mqtt/socket3	.	{"state":"ON","power":3,"energy":2.1,"voltage":230,"current":0.01,"linkquality":88}
        => plug-zigbee2mqtt/Hairdryer?
        zigbee2mqtt/Hairdryer	.	{"state":"ON","power":0,"energy":1.1,"voltage":230,"current":0,"linkquality":88}
        => plug-shelly/shellyplug-s-6A6374
        shellies/shellyplug-s-6A6374/relay/0	!	on
        shellies/shellyplug-s-6A6374/relay/0/power	.	23.41
        => plug-shelly/shelly1pm-BA1936?
        shellies/shelly1pm-BA1936/relay/0/power	.	11.20
        => valve-zigbee2mqtt/garden-tulips
        zigbee2mqtt/bridge/devices	!	[{"ieee_address":"0x07","type":"EndDevice","friendly_name":"garden/tulips","definition":{"model":"SWV","vendor":"SONOFF","description":"Zigbee smart water valve","exposes":[]}}]
        => bus/0018-01029
        /hfp/v2/journey/ongoing/dep/bus/0018/01029/5520/1/Martinlaakso/17:35/4170293/5/60;24/28/65/93	.	{"DEP":{"desi":"520","dir":"1","oper":6,"veh":1029,"tst":"2026-01-01T15:40:00.000Z","tsi":1767282000,"spd":0.0,"dl":-232,"oday":"2026-01-01","start":"17:35","stop":4170293,"route":"5520","ttarr":"2026-01-01T15:39:00.000Z","ttdep":"2026-01-01T15:39:00.000Z"}}
        => order-pizza/4711
        pizza/order/4711	!	{"status":"oven","items":"2 Margherita","shop":"Da Enzo","eta":"2026-01-01T19:30:00+01:00"}
        => ride/88
        ride/88	!	{"status":"assigned","driver":"Nora","car":"Green Kia","plate":"B-XY 123","pickup":"2026-01-01T18:02:00+01:00","way":8.4,"left":8.4}
        => match/m1
        match/m1	!	{"phase":"first","home":"Harbour Town","away":"Rovers","score":[0,1],"scorer":"Adams","began":"2026-01-01T15:31:00Z","added":0}

        """#

    /// What must be left alone.
    private static let strangers = #"""
        =>
        zigbee2mqtt/bridge/state	!	{"state":"online"}
        zigbee2mqtt/bridge/info	!	{"version":"2.1.0","commit":"abc","coordinator":{"type":"zStack3x0"},"network":{"channel":11},"log_level":"info","permit_join":false,"config":{}}
        zigbee2mqtt/bridge/devices	!	[{"ieee_address":"0x00","type":"Coordinator","friendly_name":"Coordinator","definition":null},{"ieee_address":"0x01","type":"Router","friendly_name":"living room lamp","definition":{"model":"LED1545G12","vendor":"IKEA","description":"bulb","exposes":[{"type":"light","features":[{"name":"state"},{"name":"brightness"}]}]}},{"ieee_address":"0x02","type":"EndDevice","friendly_name":"bath","definition":{"model":"WSDCGQ11LM","vendor":"Aqara","description":"temperature and humidity","exposes":[]}}]
        zigbee2mqtt/bridge/health	.	{"response_time":1767225600000,"os":{"load_average":[0.1,0.2,0.1]},"process":{"uptime_sec":100},"mqtt":{"connected":true,"queued":0,"published":10,"received":4},"devices":{"0x01":{"leave_count":0,"messages":4,"messages_per_sec":0.01}}}
        zigbee2mqtt/bridge/logging	.	{"level":"info","message":"MQTT publish: topic 'zigbee2mqtt/roses', payload '{\"state\":\"ON\"}'"}
        zigbee2mqtt/bridge/event	.	{"type":"device_announce","data":{"friendly_name":"bath","ieee_address":"0x02"}}
        zigbee2mqtt/living room lamp	.	{"state":"ON","brightness":128,"color_temp":370,"color_mode":"color_temp","linkquality":90,"update":{"state":"idle"}}
        zigbee2mqtt/living room lamp/availability	!	{"state":"online"}
        zigbee2mqtt/living room lamp/set	.	{"state":"OFF"}
        zigbee2mqtt/bath	.	{"temperature":21.4,"humidity":51.2,"pressure":1003,"battery":77,"voltage":2985,"linkquality":101}
        zigbee2mqtt/front door	.	{"contact":false,"battery":100,"voltage":3055,"linkquality":70,"device_temperature":22}
        zigbee2mqtt/hall motion	.	{"occupancy":true,"illuminance":12,"battery":88,"linkquality":60}
        zigbee2mqtt/button	.	{"action":"single","battery":100,"linkquality":80}
        zigbee2mqtt/blind	.	{"position":40,"state":"OPEN","running":false,"linkquality":66}
        zigbee2mqtt/radiator	.	{"current_heating_setpoint":21,"local_temperature":20.4,"system_mode":"auto","running_state":"heat","battery":60}
        zigbee2mqtt/smoke	.	{"smoke":false,"battery_low":false,"linkquality":50}
        zigbee2mqtt/ceiling fan	.	{"state":"ON","fan_mode":"low","countdown":0,"timer":0,"linkquality":61}
        zigbee2mqtt/dimmer	.	{"state":"ON","brightness":200,"power":7.2,"energy":3.1,"voltage":229,"countdown":0,"linkquality":70}
        homeassistant/status	!	online
        homeassistant/sensor/kitchen-sensor/battery_remaining/config	!	{"name":"Battery","unit_of_meas":"%","stat_t":"kitchen-sensor/sensor/battery_remaining/state","dev":{"name":"kitchen-sensor"}}
        kitchen-sensor/sensor/battery_remaining/state	!	81
        homeassistant/light/0x01/light/config	!	{"name":null,"schema":"json","state_topic":"zigbee2mqtt/living room lamp","command_topic":"zigbee2mqtt/living room lamp/set","brightness":true,"unique_id":"0x01_light","device":{"identifiers":["zigbee2mqtt_0x01"],"name":"living room lamp","manufacturer":"IKEA","model":"TRADFRI bulb"}}
        homeassistant/sensor/0x02/temperature/config	!	{"state_topic":"zigbee2mqtt/bath","value_template":"{{ value_json.temperature }}","unit_of_measurement":"°C","device_class":"temperature","device":{"identifiers":["zigbee2mqtt_0x02"],"name":"bath"}}
        homeassistant/device/weather/config	!	{"dev":{"ids":"weather","name":"Weather"},"o":{"name":"wx"},"cmps":{"t":{"p":"sensor","device_class":"temperature","unique_id":"wx_t"}},"state_topic":"weather/state"}
        homeassistant/sensor/sun/state	.	above_horizon
        $SYS/broker/version	!	mosquitto version 2.0.11
        $SYS/broker/clients/connected	!	12
        $SYS/broker/load/messages/received/1min	!	120.4
        tele/lamp/LWT	!	Online
        tele/lamp/STATE	.	{"Time":"2026-01-01T00:00:30","Uptime":"0T10:00:00","POWER":"ON","Dimmer":40,"Color":"FF00","Wifi":{"RSSI":60}}
        tele/weather/SENSOR	.	{"Time":"2026-01-01T00:00:30","BME280":{"Temperature":21.1,"Humidity":40.0,"Pressure":1001.2},"TempUnit":"C"}
        stat/lamp/RESULT	.	{"POWER":"ON"}
        stat/lamp/POWER	.	ON
        tasmota/discovery/A1B2C3D4E5F6/config	!	{"ip":"10.0.0.9","dn":"Lamp","fn":["Lamp"],"hn":"lamp","mac":"A1B2C3D4E5F6","md":"Generic","ty":0,"if":0,"ofln":"Offline","onln":"Online","state":["OFF","ON","TOGGLE","HOLD"],"sw":"13.1.0","t":"lamp","ft":"%prefix%/%topic%/","tp":["cmnd","stat","tele"],"rl":[2,0,0,0],"swc":[-1,-1],"btn":[0],"so":{},"lk":1,"lt_st":1,"ver":1}
        tasmota/discovery/A1B2C3D4E5F6/sensors	!	{"sn":{"Time":"2026-01-01T00:00:30"},"ver":1}
        shellyhtg3-84fce63ad204/online	!	true
        shellyhtg3-84fce63ad204/status/temperature:0	.	{"id":0,"tC":21.4,"tF":70.5}
        shellyhtg3-84fce63ad204/events/rpc	.	{"src":"shellyhtg3-84fce63ad204","dst":"shellyhtg3-84fce63ad204/events","method":"NotifyFullStatus","params":{"ts":1767225600.1,"temperature:0":{"id":0,"tC":21.4,"tF":70.5},"humidity:0":{"id":0,"rh":45.1}}}
        shellies/shellydw2-AABBCC/sensor/state	!	open
        shellies/announce	.	{"id":"shellydw2-AABBCC","model":"SHDW-2","mac":"AABBCC","ip":"10.0.0.3","new_fw":false,"fw_ver":"1.0"}
        esphome/discover/kitchen-sensor	!	{"ip":"10.0.0.4","name":"kitchen-sensor","friendly_name":"Kitchen sensor","port":6053,"version":"2025.12.0","mac":"aabbccddeeff","platform":"ESP32","board":"esp32dev","network":"wifi"}
        kitchen-sensor/status	!	online
        kitchen-sensor/sensor/temperature/state	!	21.4
        kitchen-sensor/light/led/state	!	{"state":"ON","brightness":255}
        homie/5/thermo/$state	!	ready
        homie/5/thermo/$description	!	{"homie":"5.0","version":1,"nodes":{"air":{"properties":{"temperature":{"datatype":"float","unit":"°C"}}}}}
        homie/5/thermo/air/temperature	!	20.5
        frigate/available	!	online
        frigate/events	.	{"before":{"id":"1.2-a","label":"person"},"after":{"id":"1.2-a","label":"person"},"type":"new"}
        frigate/stats	.	{"detection_fps":1.2,"service":{"uptime":100}}
        espresense/rooms/hall/telemetry	.	{"ip":"10.0.0.7","uptime":100,"rssi":-60}
        owntracks/anna/phone	!	{"_type":"location","lat":0.0,"lon":0.0,"tst":1767225600,"batt":80}
        rtl_433/house/events	.	{"time":"2026-01-01 00:00:10","model":"Nexus-TH","id":12,"channel":1,"battery_ok":1,"temperature_C":4.1,"humidity":80}
        zwave/hall/49/0/Air_temperature	!	{"time":1767225600000,"value":20.1}
        spBv1.0/plant/NBIRTH/edge	.	binary
        carconnectivity/0/garage/TMBJG7NU000000001/drives/primary/type	!	diesel
        carconnectivity/0/garage/TMBJG7NU000000001/drives/primary/level	!	66.0
        carconnectivity/0/garage/TMBJG7NU000000001/state	!	parked
        house/upper/garage/gate/charging/state	.	on
        home/garage/wallbox/charging/state	.	charging
        bmw/raw/WBA00000000000002	.	{"vin":"WBA00000000000002","data":{"vehicle.cabin.door.row1.driver.isOpen":{"timestamp":"2026-01-01T00:00:00.000Z","unit":null,"value":false}}}
        ems-esp/thermostat_data	.	{"hc1":{"seltemp":20,"currtemp":20.5,"mode":"auto"}}
        ems-esp/heartbeat	.	{"bus_status":"connected","uptime":"000+22:32:01.497","uptime_sec":81121}
        heater/boiler_data	.	{"temperature":60,"active":true}
        solar/inverter/power	.	2310
        home/meter/power	.	412
        backup/status	!	{"state":"done","duration":600}
        device/thermostat/report	.	{"temperature":20.5,"state":"idle"}
        game/server/energy	.	low
        match	.	{"phase":"x"}
        ride/state	.	idle
        house2/bridge/state	!	online
        house2/bridge/info	!	{"version":"0.1.0","started":1767225600,"owner":"aabb","client":"house2","epoch":1767225600,"definitions":[{"kind":"washer","name":"Washing machine","topics":["homeconnect/+/state"]}]}
        house2/washer/laundry/activity	!	{"id":"washer/laundry/1767225600","rev":2,"epoch":1767225600,"at":1767225600,"phase":"active","state":"running","attributes":{"name":"laundry"},"content":{"status":"Running","cycle":{"start":1767225600,"end":1767229200}}}
        house2/washer/laundry/activity/diff	.	{"rev":2,"content":{"status":"Running"}}
        house2/washer/laundry/availability	!	online
        skerry/bridge/state	!	online
        skerry/printer-bambu/01S00A2B3C4D/activity	!	{"id":"printer-bambu/01S00A2B3C4D/1","rev":1,"phase":"active","state":"printing","content":{"status":"Printing"}}
        cmnd/boiler/POWER	.	
        """#
}
