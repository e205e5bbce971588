// The words of the device's view for people, as in texts-views.js.
import { addLines } from "./texts.js";

addLines(`
people.why | Why, and what comes next | Warum, und was folgt | Por qué, y qué sigue | 原因与后续
people.runs | Last runs | Letzte Läufe | Últimos ciclos | 最近的运行
people.noRuns | No runs yet. | Noch keine Läufe. | Aún no hay ciclos. | 还没有运行记录。
people.usual | usually {length} | meist {length} | suele durar {length} | 通常{length}
people.goesOn | running | läuft | en marcha | 运行中
people.allRuns | All runs | Alle Läufe | Todos los ciclos | 全部运行
people.name | Name | Name | Nombre | 名称
authors.title | For authors | Für Autoren | Para autores | 面向作者
authors.lead | States, guards, signals, messages | Zustände, Bedingungen, Signale, Nachrichten | Estados, condiciones, señales, mensajes | 状态、条件、信号、消息
chart.guards | Conditions on the lines | Bedingungen an den Linien | Condiciones en las líneas | 在线上显示条件
chart.chosen | From {state} | Von {state} aus | Desde {state} | 从{state}
chart.choose | Choose a state to read what leads out of it. | Wähle einen Zustand, um zu lesen, was aus ihm hinausführt. | Elige un estado para leer qué sale de él. | 选择一个状态，查看其出口。
setting.threshold | Threshold | Schwelle | Umbral | 阈值
setting.rest | Rest | Ruhezeit | Reposo | 静止时间
setting.unit | Unit | Einheit | Unidad | 单位
setting.reminder | Reminder | Erinnerung | Aviso | 提醒
fact.relay | Relay | Relais | Relé | 继电器
why.since | {title} since {time}; before that, {before}. | {title} seit {time}, davor {before}. | {title} desde las {time}; antes, {before}. | 自 {time} 起{title}，之前为{before}。
why.sinceFirst | {title} since {time}. | {title} seit {time}. | {title} desde las {time}. | 自 {time} 起{title}。
why.reason | The reason: {reason}. | Weil {reason}. | El motivo: {reason}. | 原因：{reason}。
why.when | {title} when {reason}. | {title}, wenn {reason}. | {title} cuando {reason}. | 当{reason}时：{title}。
why.whenFor | {title} when {reason}, for {time}. | {title}, wenn {reason}, {time} lang. | {title} cuando {reason}, durante {time}. | 当{reason}持续{time}时：{title}。
why.over | {title} at {at}, when its time is over. | {title} um {at}, wenn die Zeit um ist. | {title} a las {at}, cuando acabe el tiempo. | {at} 计时结束后：{title}。
why.quiet | {title} if nothing is heard until {at}. | {title}, wenn bis {at} nichts zu hören ist. | {title} si no llega nada hasta las {at}. | 若到 {at} 仍无消息：{title}。
why.after | {title} at {at}. | {title} um {at}. | {title} a las {at}. | {at}：{title}。
why.holds | {title} at {at}, if this stays so: {reason}. | {title} um {at}, wenn weiterhin {reason}. | {title} a las {at}, si sigue así: {reason}. | 若保持“{reason}”，{at}：{title}。
why.then | {title} at {at}, if by then {reason}. | {title} um {at}, wenn dann {reason}. | {title} a las {at}, si entonces {reason}. | 若届时“{reason}”，{at}：{title}。
why.sent | {title} when “{event}” is sent. | {title}, wenn „{event}“ gesendet wird. | {title} cuando se envía «{event}». | 发送“{event}”时：{title}。
why.other | Also possible: {title}. | Auch möglich: {title}. | También es posible: {title}. | 也可能：{title}。
why.nothing | Nothing leads out of this state. | Aus diesem Zustand führt nichts hinaus. | Nada sale de este estado. | 此状态没有出口。
why.and | {one} and {other} | {one} und {other} | {one} y {other} | {one}且{other}
why.or | {one} or {other} | {one} oder {other} | {one} o {other} | {one}或{other}
why.is | {name} is {value} | {name} {value} ist | {name} es {value} | {name}为{value}
why.isNot | {name} is not {value} | {name} nicht {value} ist | {name} no es {value} | {name}不为{value}
why.below | {name} is below {value} | {name} unter {value} liegt | {name} está por debajo de {value} | {name}低于{value}
why.above | {name} is above {value} | {name} über {value} liegt | {name} está por encima de {value} | {name}高于{value}
why.atMost | {name} is at most {value} | {name} höchstens {value} ist | {name} es como máximo {value} | {name}不超过{value}
why.atLeast | {name} is at least {value} | {name} mindestens {value} ist | {name} es como mínimo {value} | {name}不低于{value}
why.known | {name} is known | {name} bekannt ist | se conoce {name} | {name}已知
why.yes | {name} is true | {name} zutrifft | se da {name} | {name}成立
why.no | {name} is not true | {name} nicht zutrifft | no se da {name} | {name}不成立
why.quoted | “{value}” | „{value}“ | «{value}» | “{value}”
why.now | {name} is {value} now | {name} ist jetzt {value} | {name} es ahora {value} | {name}现在为{value}
`);
