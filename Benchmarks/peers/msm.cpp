/* The appliance as a machine of Boost.MSM: its table of transitions becomes code when it is compiled. */
#include "appliance.h"
#include <boost/msm/back/state_machine.hpp>
#include <boost/msm/front/functor_row.hpp>
#include <boost/msm/front/state_machine_def.hpp>
#include <unordered_map>

namespace msm = boost::msm;
using msm::front::none;
using msm::front::Row;

struct Run {};
struct Pause {};
struct Finish {};
struct Reset {};

struct Definition : msm::front::state_machine_def<Definition> {
    Appliance appliance;

    template <const char *Name>
    struct Named : msm::front::state<> {
        template <class Event, class Machine>
        void on_entry(const Event &, Machine &machine) {
            if (machine.appliance.client) machine.appliance.tell(Name);
        }
    };
    static constexpr char idle[] = "idle", running[] = "running", paused[] = "paused", finished[] = "finished";
    using Idle = Named<idle>;
    using Running = Named<running>;
    using Paused = Named<paused>;
    using Finished = Named<finished>;
    using initial_state = Idle;

    struct transition_table : boost::mpl::vector<
        Row<Idle, Run, Running, none, none>,
        Row<Paused, Run, Running, none, none>,
        Row<Finished, Run, Running, none, none>,
        Row<Running, Pause, Paused, none, none>,
        Row<Running, Finish, Finished, none, none>,
        Row<Paused, Finish, Finished, none, none>,
        Row<Finished, Reset, Idle, none, none>> {};

    template <class Machine, class Event>
    void no_transition(const Event &, Machine &, int) {}
};

using Machine = msm::back::state_machine<Definition>;

static void on_message(struct mosquitto *client, void *, const struct mosquitto_message *message,
                       const mosquitto_property *) {
    static std::unordered_map<std::string, Machine> machines;
    callbacks++;
    messages_read++;
    auto [entry, is_new] = machines.try_emplace(message->topic);
    Machine &machine = entry->second;
    if (is_new) {
        machine.start();
        machine.appliance.client = client;
        machine.appliance.topic = message->topic;
    }
    const std::string operation = machine.appliance.read(message);
    if (operation == "Run") machine.process_event(Run());
    else if (operation == "Pause") machine.process_event(Pause());
    else if (operation == "Finished") machine.process_event(Finish());
    else if (operation == "Ready") machine.process_event(Reset());
}

int main(int count, char **words) { return run(count, words); }
