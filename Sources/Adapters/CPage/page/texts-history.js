// The words of the history for longer spans, as in texts-views.js.
import { addLines } from "./texts.js";

addLines(`
span.name | Span | Zeitraum | Periodo | 时间范围
span.last | 24 hours | 24 Stunden | 24 horas | 24小时
span.day | Day | Tag | Día | 日
span.week | Week | Woche | Semana | 周
span.month | Month | Monat | Mes | 月
span.lastTitle | Last 24 hours | Letzte 24 Stunden | Últimas 24 horas | 最近24小时
span.weekTitle | Last 7 days | Letzte 7 Tage | Últimos 7 días | 最近7天
span.monthTitle | Last 30 days | Letzte 30 Tage | Últimos 30 días | 最近30天
span.fromTo | {from} to {to} | {from} bis {to} | {from} a {to} | {from}至{to}
span.earlier | Earlier | Früher | Antes | 更早
span.later | Later | Später | Después | 更晚
span.now | Now | Jetzt | Ahora | 现在
span.empty | No runs in this time. | In dieser Zeit lief nichts. | No hubo ciclos en este periodo. | 这段时间没有运行。
history.only | Only {device} | Nur {device} | Solo {device} | 仅{device}
history.everyDevice | All devices | Alle Geräte | Todos los dispositivos | 全部设备
history.export | Export | Exportieren | Exportar | 导出
history.exportAs | Export as {format} | Als {format} exportieren | Exportar como {format} | 导出为{format}
history.weeks | Runs per week | Läufe pro Woche | Ciclos por semana | 每周运行次数
history.weekOf | Week of {day} | Woche ab {day} | Semana del {day} | {day}起的一周
history.weekRuns | {count} runs, {length} | {count} Läufe, {length} | {count} ciclos, {length} | {count}次，{length}
history.weekRuns.one | one run, {length} | ein Lauf, {length} | un ciclo, {length}
curve.title | Its curve | Sein Verlauf | Su curva | 曲线
curve.of | {name} from {low} to {high} | {name} von {low} bis {high} | {name} de {low} a {high} | {name}，{low}至{high}
curve.none | The messages of this run are not kept any more, or have no numbers. | Die Nachrichten dieses Laufs sind nicht mehr da oder enthalten keine Zahlen. | Los mensajes de este ciclo ya no se guardan o no tienen números. | 此次运行的消息已不再保存，或不含数字。
`);
