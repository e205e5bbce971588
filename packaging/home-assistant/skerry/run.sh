#!/usr/bin/env bash
# Starts the bridge in Home Assistant: options of the app and the broker that the Supervisor names become settings. With arguments, such
# as doctor, it starts that command with the same settings.
set -euo pipefail

# Tests name others.
supervisor=${SUPERVISOR:-http://supervisor}
data=${DATA:-/data}
config=${CONFIG:-/config}
secrets=${SECRETS:-/run/skerry}
skerry=${SKERRY:-/usr/bin/skerry}

say() { echo "skerry: $*" >&2; }

# option NAME: its value, each element of a list on a line of its own; nothing if it is not set.
option() {
    jq --raw-output --arg name "$1" '.[$name] | if type == "array" then .[] elif . == null then empty else . end' "$data/options.json"
}

# listed NAME: the elements of a list with commas between them.
listed() { option "$1" | paste --serial --delimiters=,; }

# set_to VARIABLE VALUE: sets it, unless the value is empty.
set_to() { if [[ -n "$2" ]]; then export "$1=$2"; fi; }

# keep NAME: writes standard input into a file that nobody else may read, and prints its path.
keep() {
    local path="$secrets/$1"
    (umask 077 && cat >"$path")
    echo "$path"
}

mkdir -p -m 700 "$secrets"
mkdir -p "$config/devices"

# All other settings may stand in a file of your own, which the options outrank.
command=${1:-run}
if (($# > 0)); then shift; fi
arguments=("$command")
if [[ -e "$config/skerry.yaml" ]]; then arguments+=(--config "$config/skerry.yaml"); fi

host=$(option mqtt_host)
if [[ -n "$host" ]]; then
    port=$(option mqtt_port) username=$(option mqtt_username) password=$(option mqtt_password) tls=$(option mqtt_tls)
else
    # See https://developers.home-assistant.io/docs/api/supervisor/endpoints#service
    if ! answer=$(curl --fail --silent --show-error --max-time 10 -H "Authorization: Bearer ${SUPERVISOR_TOKEN:-}" "$supervisor/services/mqtt"); then
        say "Home Assistant knows no broker: install the app Mosquitto broker, or name another one in the options (mqtt_host)"
        exit 69
    fi
    service() { jq --raw-output --arg name "$1" '.data[$name] | if . == null then empty else . end' <<<"$answer"; }
    host=$(service host) port=$(service port) username=$(service username) password=$(service password) tls=$(service ssl)
fi
export SKERRY_MQTT_HOST=$host
set_to SKERRY_MQTT_PORT "$port"
set_to SKERRY_MQTT_USERNAME "$username"
if [[ "$tls" == true ]]; then export SKERRY_MQTT_TLS_ENABLED=true; fi
if [[ -n "$password" ]]; then
    SKERRY_MQTT_PASSWORD_FILE=$(printf '%s' "$password" | keep mqtt-password)
    export SKERRY_MQTT_PASSWORD_FILE
fi

# "auto" and what lies in the folder of the app; other names are paths there.
definitions=$(option definitions | while read -r name; do
    if [[ "$name" == auto || "$name" == /* ]]; then echo "$name"; else echo "$config/$name"; fi
done | paste --serial --delimiters=,)
export SKERRY_DEFINITIONS="${definitions:+$definitions,}$config/devices"
set_to SKERRY_LANGUAGE "$(option language)"
set_to SKERRY_LOG_LEVEL "$(option log_level)"
set_to SKERRY_HOME_ASSISTANT_DISCOVERY "$(option discovery)"
set_to SKERRY_HTTP_EDIT "$(option edit)"
set_to SKERRY_HTTP_URL "$(option url)"

# Home Assistant's own app on these phones shows activities, by the name of its action: mobile_app_pixel.
phones=$(listed phones)
if [[ -n "$phones" ]]; then
    export SKERRY_SINKS_HOME_ASSISTANT_URL="$supervisor/core" SKERRY_SINKS_HOME_ASSISTANT_TARGETS="$phones"
    SKERRY_SINKS_HOME_ASSISTANT_TOKEN_FILE=$(printf '%s' "${SUPERVISOR_TOKEN:-}" | keep supervisor-token)
    export SKERRY_SINKS_HOME_ASSISTANT_TOKEN_FILE
fi

# The Supervisor passes on what comes through Home Assistant, and has only one address.
export SKERRY_HTTP_INGRESS="${INGRESS:-172.30.32.2}" SKERRY_HTTP_ADDRESS="${ADDRESS:-0.0.0.0:7537}"
export STATE_DIRECTORY="$data" SKERRY_LOG_FORMAT=text
unset SUPERVISOR_TOKEN HASSIO_TOKEN

# Who administers signs in with a code. Only administrators of Home Assistant read the log.
show_code() {
    local attempt
    for attempt in {1..30}; do
        sleep 1
        # The bridge has the number of this script, and may have ended; nobody may have asked yet how.
        if [[ ! -e "/proc/$$/exe" ]]; then return; fi
        if "$skerry" pair --browser --no-wait "${arguments[@]:1}" 2>/dev/null; then return; fi
    done
    say "there is no code to sign in with: the page does not answer"
}
if [[ "$command" == run ]]; then show_code & fi
exec "$skerry" "${arguments[@]}" "$@"
