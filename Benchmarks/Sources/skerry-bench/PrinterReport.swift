/// Reports of a printer of the kind `printer-bambu`, which sends one every second.
enum PrinterReport {
    /// A report of an idle printer; invented, but with the fields of real ones.
    static let idle = """
        {"print":{"nozzle_temper":27.40625,"bed_temper":24.8125,"bed_target_temper":0,"nozzle_target_temper":0,\
        "wifi_signal":"-52dBm","fan_gear":0,"cooling_fan_speed":"0","heatbreak_fan_speed":"0","gcode_state":"IDLE",\
        "mc_percent":0,"mc_remaining_time":0,"layer_num":0,"total_layer_num":0,"subtask_name":"","print_error":0,\
        "lights_report":[{"node":"chamber_light","mode":"on"}],"ams":{"humidity":"4","temp":"22.9","tray_now":"255"},\
        "command":"push_status","msg":1,"sequence_id":"2021"}}
        """
}
