// The words of the statechart, the device, the history and the replay.
import { addLines } from "./texts.js";

addLines(`
views.loading | One moment … | Einen Moment … | Un momento… | 请稍候…
views.legend | What the colours mean | Was die Farben bedeuten | Qué significan los colores | 颜色的含义
chart.name | States of {name} | Zustände von {name} | Estados de {name} | {name}的状态
chart.after | after {time} | nach {time} | tras {time} | {time}后
chart.for | for {time} | {time} lang | durante {time} | 持续{time}
chart.quiet | silent for {time} | {time} still | callado {time} | 静默{time}
chart.at | at {time} | um {time} | a las {time} | {time}时
chart.past | once {time} is past | sobald {time} vorbei ist | cuando haya pasado {time} | {time}过后
chart.to | to {to} | nach {to} | a {to} | 转到{to}
chart.stays | stays | bleibt | se queda | 不变
chart.onEvent | on {event} | bei {event} | con {event} | 事件 {event}
chart.when | when {guard} | wenn {guard} | si {guard} | 当 {guard}
chart.always | at once | sofort | enseguida | 立即
chart.smaller | Smaller | Kleiner | Más pequeño | 缩小
chart.larger | Larger | Größer | Más grande | 放大
chart.fit | Fit | Einpassen | Ajustar | 适合窗口
chart.asList | States as a list | Zustände als Liste | Estados como lista | 以列表显示状态
chart.isHere | active now | jetzt aktiv | activo ahora | 当前状态
chart.wasHere | active then | damals aktiv | activo entonces | 当时的状态
chart.stats | {count}× · {time} | {count}× · {time} | {count}× · {time} | {count}× · {time}
chart.statsLong | entered {count} times, {time} in all | {count}-mal betreten, insgesamt {time} | {count} entradas, {time} en total | 进入{count}次，共{time}
chart.statsLong.one | entered once, {time} in all | einmal betreten, insgesamt {time} | una entrada, {time} en total
device.unknown | Nothing was heard of this device. | Von diesem Gerät war noch nichts zu hören. | No se sabe nada de este dispositivo. | 尚未收到此设备的消息。
device.forgotten | The bridge has forgotten this device. It is shown again when it speaks. | Die Bridge hat dieses Gerät vergessen. Es erscheint wieder, sobald es sich meldet. | El puente ha olvidado este dispositivo. Vuelve a aparecer cuando hable. | 网桥已忘记此设备，收到它的消息后会重新显示。
device.moment | A moment | Ein Zeitpunkt | Un momento | 时刻
device.machine | States | Zustände | Estados | 状态
device.times | What is running | Was gerade läuft | Qué está en marcha | 正在计时
device.guards | What could happen now | Was jetzt geschehen kann | Qué puede pasar ahora | 接下来可能发生的
device.signals | Signals | Signale | Señales | 信号
device.then | What people saw then | Was damals zu sehen war | Qué se veía entonces | 当时显示的内容
device.journal | Journal | Tagebuch | Diario | 日志
device.messages | Messages | Nachrichten | Mensajes | 消息
device.wire | On the wire | Auf der Leitung | En la red | 已发送的数据
device.readAgain | Read again | Neu lesen | Leer de nuevo | 重新读取
device.toReplay | Replay, and try an edit | Wiedergeben und eine Änderung probieren | Reproducir y probar un cambio | 回放并试着修改
device.slider | Moment shown | Gezeigter Zeitpunkt | Momento mostrado | 显示的时刻
device.backToNow | Back to now | Zurück zu jetzt | Volver a ahora | 回到现在
device.notStarted | Not started | Nicht gestartet | Sin empezar | 未开始
device.offline | offline | nicht erreichbar | sin conexión | 离线
device.online | online | erreichbar | en línea | 在线
device.heard | heard {time} | gehört {time} | último mensaje {time} | {time}收到消息
device.neverHeard | only retained messages so far | bisher nur aufbewahrte Nachrichten | solo mensajes retenidos hasta ahora | 目前只有保留消息
device.since | since {time} | seit {time} | desde {time} | 自 {time}
device.failed | {count} failed readings | {count} unlesbare Werte | {count} lecturas fallidas | {count}次读取失败
device.unread | Not read: {what} | Nicht gelesen: {what} | Sin leer: {what} | 未读取：{what}
device.failed.one | one failed reading | ein unlesbarer Wert | una lectura fallida
device.next | Next at {time}, in {length}: {what} | Als Nächstes um {time}, in {length}: {what} | Después, a las {time}, en {length}: {what} | 接下来 {time}（{length}后）：{what}
device.nothingNext | Nothing happens by itself now. | Von selbst geschieht jetzt nichts. | Nada ocurre por sí solo ahora. | 目前不会自动发生变化。
device.notRecorded | Not recorded | Nicht aufgezeichnet | No grabado | 未记录
device.slideHint | Now. Slide back to see it as it was. | Jetzt. Zurückschieben zeigt, wie es war. | Ahora. Desliza hacia atrás para ver cómo estaba. | 现在。向左滑动查看过去。
device.asItWas | The past: as it was at {time}, {ago} | Vergangenheit: so war es um {time}, {ago} | El pasado: así estaba a las {time}, {ago} | 过去：{time}的情形，{ago}
device.thenUnknown | What people saw at that moment is not recorded. | Was damals zu sehen war, ist nicht aufgezeichnet. | Lo que se veía en ese momento no está grabado. | 该时刻显示的内容没有记录。
device.standsStill | stands still | steht still | parado | 已暂停
device.ends | ends at {time}, then {event} | endet um {time}, dann {event} | termina a las {time}, luego {event} | {time} 结束，然后 {event}
device.endsLike | ends about {time}, give or take {tolerance}: like {like} of the last {of} runs | endet etwa um {time}, auf {tolerance} genau: wie {like} der letzten {of} Läufe | termina hacia las {time}, con un margen de {tolerance}: como {like} de las últimas {of} veces | 约 {time} 结束，误差 {tolerance}：与最近 {of} 次中的 {like} 次相似
device.countsSince | counts since {time} | zählt seit {time} | cuenta desde {time} | 自 {time} 起计时
device.reachedZero | reached zero at {time} | war um {time} bei null | llegó a cero a las {time} | {time} 归零
device.lapsed | does not hold since {time} | gilt seit {time} nicht | no se cumple desde {time} | 自 {time} 起不成立
device.notTaken | over, not taken | vorbei, nicht genommen | pasado, no tomado | 已过，未执行
device.delayed | an event that it has sent itself | ein Ereignis an sich selbst | un evento que se envió a sí mismo | 发给自己的事件
device.noTimes | No timer runs, and nothing waits. | Keine Zeit läuft, und nichts wartet. | Nada corre ni espera. | 没有计时，也没有等待。
device.unset | not known yet | noch unbekannt | aún desconocido | 尚未知道
device.ageUnknown | age unknown | Alter unbekannt | antigüedad desconocida | 时间未知
device.ageWhy | The broker or the store had kept this value: no message has brought it since the bridge started, or since its definition was edited. | Broker oder Speicher hatten diesen Wert aufbewahrt: Seit dem Start der Bridge oder der letzten Änderung der Definition kam er in keiner Nachricht. | El bróker o el almacén guardaban este valor: ningún mensaje lo ha traído desde que arrancó el puente o se editó su definición. | 该值由消息代理或存储保留：自网桥启动或定义修改以来，没有消息再带来它。
device.noSignals | This kind of device has no signals. | Geräte dieser Art haben keine Signale. | Este tipo de dispositivo no tiene señales. | 此类设备没有信号。
device.variables | Variables | Variablen | Variables | 变量
device.default | Default: {value} | Standard: {value} | Por defecto: {value} | 默认：{value}
device.atLeast | at least {value} | mindestens {value} | mínimo {value} | 最小 {value}
device.atMost | at most {value} | höchstens {value} | máximo {value} | 最大 {value}
device.toDefault | Back to default | Zurück zum Standard | Volver al valor por defecto | 恢复默认值
device.toDefaultOf | {name}: back to default | {name}: zurück zum Standard | {name}: volver al valor por defecto | {name}：恢复默认值
device.nameWhy | The name that people read. If it is empty, that of the device's own messages, or of its topic. | Der Name, den man liest. Ist das Feld leer, der aus den Nachrichten des Geräts oder aus seinem Topic. | El nombre que se lee. Si está vacío, el de los mensajes del dispositivo o el de su tema. | 供人阅读的名称。留空时使用设备消息或主题中的名称。
device.inFile | The configuration file sets it, so it can't be changed here. | Die Konfigurationsdatei legt das fest, hier lässt es sich nicht ändern. | Lo fija el archivo de configuración; aquí no se puede cambiar. | 由配置文件设定，此处不能更改。
device.saved | Saved at {time}, and in force. | Um {time} gespeichert, gilt ab jetzt. | Guardado a las {time}, ya en vigor. | 已于 {time} 保存并生效。
device.spark | {count} values from {low} to {high} | {count} Werte von {low} bis {high} | {count} valores de {low} a {high} | {count}个值，从{low}到{high}
device.holds | holds | gilt | se cumple | 成立
device.holdsNot | does not hold | gilt nicht | no se cumple | 不成立
device.noGuard | no condition | ohne Bedingung | sin condición | 无条件
device.noTransitions | Nothing leads out of this state. | Aus diesem Zustand führt nichts hinaus. | Nada sale de este estado. | 此状态没有出口。
device.moved | moved | Wechsel | cambio | 转换
device.allPhones | all phones | alle Telefone | todos los teléfonos | 所有手机
device.until | until {time} | bis {time} | hasta {time} | 直到 {time}
device.noJournal | Nothing has happened since the bridge started. | Seit dem Start ist nichts geschehen. | No ha pasado nada desde el inicio. | 启动以来尚无事件。
device.messageSum | Messages: {count}. Changed what people see: {some}. | Nachrichten: {count}. Davon änderten, was zu sehen ist: {some}. | Mensajes: {count}. Cambiaron lo que se ve: {some}. | {count}条消息，其中{some}条改变了显示内容。
device.when | When | Wann | Cuándo | 时间
device.message | Message | Nachricht | Mensaje | 消息
device.effect | What it did | Was sie bewirkte | Qué hizo | 作用
device.noRecording | The bridge keeps no messages of its devices. To see here what each message did, switch on in its settings: | Die Bridge bewahrt keine Nachrichten auf. Damit hier steht, was jede bewirkte, gehört in ihre Einstellungen: | El puente no guarda mensajes de sus dispositivos. Para ver aquí qué hizo cada uno, pon en su configuración: | 网桥没有保存设备的消息。要在此查看每条消息的作用，请在设置中启用：
device.nothingRecorded | Messages are kept since the bridge started at {time}. Since then, this device has sent none. | Nachrichten werden aufbewahrt, seit die Bridge um {time} gestartet ist. Seitdem hat dieses Gerät keine gesendet. | Los mensajes se guardan desde que el puente arrancó a las {time}. Desde entonces este dispositivo no ha enviado ninguno. | 自网桥于 {time} 启动以来保存消息，此设备尚未发送任何消息。
device.recordedSince | Recorded since {time} | Aufgezeichnet seit {time} | Registrado desde {time} | 自 {time} 起有记录
device.wireSum | {count} updates, {bytes} bytes in all. | {count} Aktualisierungen, zusammen {bytes} Bytes. | {count} actualizaciones, {bytes} bytes en total. | {count}次更新，共{bytes}字节。
device.wireSum.one | One update, {bytes} bytes. | Eine Aktualisierung, {bytes} Bytes. | Una actualización, {bytes} bytes.
device.noWire | Nothing was published while this page was open. | Seit diese Seite offen ist, wurde nichts veröffentlicht. | No se publicó nada desde que se abrió esta página. | 打开本页以来没有发布任何内容。
device.rev | rev | Rev. | rev. | 版本
device.bytes | {count} bytes | {count} Bytes | {count} bytes | {count}字节
device.wholeSnapshot | the whole snapshot | der ganze Stand | el estado completo | 完整快照
push.sent | sent | gesendet | enviado | 已发送
push.answered | answered | angenommen | aceptado | 已接受
push.equal | equal | gleich | igual | 相同
push.held | held | wartet | en espera | 等待中
push.token-missing | token missing | ohne Token | sin token | 无令牌
push.token-old | token old | altes Token | token antiguo | 旧令牌
push.clock-unknown | clock unknown | Uhr unsicher | reloj incierto | 时钟不准
push.muted | muted | stumm | en silencio | 静音
push.yielded | yielded | verdrängt | desplazado | 让位
push.paused | paused | Pause | pausa | 暂停
push.too-large | too large | zu groß | demasiado grande | 过大
push.over | over | vorbei | terminado | 已结束
push.disabled | disabled | aus | desactivado | 已关闭
push.not-audience | not audience | nicht für sie | no es para él | 不面向此人
push.failed | failed | fehlgeschlagen | fallido | 失败
push.notified | notified | gemeldet | avisado | 已通知
push.hidden | hidden | ausgeblendet | oculto | 已隐藏
push.outdated | outdated | veraltet | anticuado | 过时
did.nothing | nothing | nichts | nada | 无
did.signals | signals only | nur Signale | solo señales | 仅信号
did.moved | another state | anderer Zustand | otro estado | 状态改变
did.update | update | Aktualisierung | actualización | 更新
history.today | Today | Heute | Hoy | 今天
history.earlier | Day before | Tag davor | Día anterior | 前一天
history.later | Day after | Tag danach | Día siguiente | 后一天
history.days | Days | Tage | Días | 日期
history.asTable | As a table | Als Tabelle | Como tabla | 以表格显示
history.compare | Runs compared | Läufe im Vergleich | Ciclos comparados | 运行对比
history.compareOf | {device}, run by run | {device}, Lauf für Lauf | {device}, ciclo a ciclo | {device}的各次运行
history.usually | usually {length}, of {count} runs | meist {length}, bei {count} Läufen | suele durar {length}, en {count} ciclos | 通常{length}，共{count}次
history.none | No runs yet. The first one will appear here. | Noch keine Läufe. Der erste erscheint hier. | Aún no hay ciclos. El primero aparecerá aquí. | 还没有运行记录，第一次运行会显示在这里。
history.emptyDay | No runs on this day. | An diesem Tag lief nichts. | No hubo ciclos este día. | 这一天没有运行。
history.lastRuns | Go to {day} | Zum {day} | Ir al {day} | 转到{day}
history.runsOf | {device}: {count} runs | {device}: {count} Läufe | {device}: {count} ciclos | {device}：{count}次运行
history.runsOf.one | {device}: one run | {device}: ein Lauf | {device}: un ciclo
history.sentence | {device}, {from} to {to}, {length}: {phases}; {updates} | {device}, {from} bis {to}, {length}: {phases}; {updates} | {device}, de {from} a {to}, {length}: {phases}; {updates} | {device}，{from}至{to}，{length}：{phases}；{updates}
history.sentenceRunning | {device}, running since {from}, {length}: {phases}; {updates} | {device}, läuft seit {from}, {length}: {phases}; {updates} | {device}, en marcha desde {from}, {length}: {phases}; {updates} | {device}，自{from}运行，{length}：{phases}；{updates}
history.start | Start | Beginn | Inicio | 开始
history.end | End | Ende | Fin | 结束
history.length | Length | Dauer | Duración | 时长
history.phases | Phases | Phasen | Fases | 阶段
history.updates | Updates | Aktualisierungen | Actualizaciones | 更新
history.running | running | läuft | en marcha | 运行中
history.tipUpdates | {count} updates were sent | {count} Aktualisierungen wurden gesendet | Se enviaron {count} actualizaciones | 发送了{count}次更新
history.tipUpdates.one | One update was sent | Eine Aktualisierung wurde gesendet | Se envió una actualización
editor.words | Words that fit here | Passende Wörter | Palabras posibles | 可用的词
editor.hint | Ctrl+Space: words. Tab indents; Escape, then Tab leaves the field. | Strg+Leertaste: Wörter. Tab rückt ein; Escape, dann Tab verlässt das Feld. | Ctrl+Espacio: palabras. Tab sangra; Escape y luego Tab sale del campo. | Ctrl+空格：补全。Tab 缩进；先按 Escape 再按 Tab 离开。
editor.good | No problems | Keine Probleme | Sin problemas | 没有问题
editor.errors | {count} errors | {count} Fehler | {count} errores | {count}个错误
editor.errors.one | One error | Ein Fehler | Un error
editor.warnings | {count} warnings | {count} Warnungen | {count} avisos | {count}个警告
editor.warnings.one | One warning | Eine Warnung | Un aviso
editor.english | Problems are told in English. | Die Meldungen sind auf Englisch. | Los mensajes están en inglés. | 以下信息为英文。
editor.line | Line {line} | Zeile {line} | Línea {line} | 第{line}行
replay.title | Replay | Replay | Repetición | 回放
replay.source | What to replay | Was wiedergegeben wird | Qué reproducir | 回放什么
replay.device | Device | Gerät | Dispositivo | 设备
replay.lead | Play back what a device has sent, edit its definition, and see what would have been shown. | Spiele ab, was ein Gerät gesendet hat, ändere seine Definition, und sieh, was gezeigt worden wäre. | Reproduce lo que envió un dispositivo, edita su definición y mira qué se habría mostrado. | 回放设备发送过的消息，编辑它的定义，看看会显示什么。
replay.drop | Drop a recording here | Eine Aufzeichnung hier ablegen | Suelta aquí una grabación | 将录制文件拖到这里
replay.dropHelp | A file of messages, as skerry record or mosquitto_sub -F '%j' writes it. | Eine Datei mit Nachrichten, wie skerry record oder mosquitto_sub -F '%j' sie schreibt. | Un archivo de mensajes, como lo escribe skerry record o mosquitto_sub -F '%j'. | 消息文件，由 skerry record 或 mosquitto_sub -F '%j' 生成。
replay.choose | Choose a file | Datei wählen | Elegir archivo | 选择文件
replay.hours | Or take a device's last hours | Oder die letzten Stunden eines Geräts | O toma las últimas horas de un dispositivo | 或使用设备最近几小时的消息
replay.hoursHelp | The bridge keeps its messages for {length}. | Die Bridge bewahrt Nachrichten {length} lang auf. | El puente guarda los mensajes durante {length}. | 网桥保存 {length} 内的消息。
replay.hoursOff | The bridge keeps no messages: set record.hours in its settings. | Die Bridge bewahrt keine Nachrichten auf: Setze record.hours in ihren Einstellungen. | El puente no guarda mensajes: pon record.hours en su configuración. | 网桥不保存消息：请在设置中启用 record.hours。
replay.take | Replay | Wiedergeben | Repetir | 回放
replay.running | Replaying … | Wird wiedergegeben … | Reproduciendo… | 正在回放…
replay.tooLarge | This file is larger than {size} MB. Take a part of it. | Diese Datei ist größer als {size} MB. Ein Teil davon genügt. | El archivo supera {size} MB. Toma solo una parte. | 文件超过 {size} MB，请取其中一部分。
replay.nothingRead | No definition reads any message of this recording. | Keine Definition liest eine Nachricht dieser Aufzeichnung. | Ninguna definición lee un mensaje de esta grabación. | 没有定义读取此录制中的消息。
replay.empty | There is no message in this file. Each line should be one message as JSON. | In dieser Datei ist keine Nachricht. Jede Zeile sollte eine Nachricht als JSON sein. | No hay ningún mensaje en este archivo. Cada línea debe ser un mensaje en JSON. | 文件中没有消息。每行应为一条 JSON 消息。
replay.truncated | The recording is long; only its first part is shown. | Die Aufzeichnung ist lang; nur ihr erster Teil ist zu sehen. | La grabación es larga; solo se muestra la primera parte. | 录制较长，仅显示第一部分。
replay.noRecording | The bridge keeps no messages of this device. Switch it on with record.hours: 24 in its settings, or drop a recording here. | Die Bridge bewahrt von diesem Gerät nichts auf. record.hours: 24 in ihren Einstellungen ändert das, oder eine Datei hier ablegen. | El puente no guarda mensajes de este dispositivo. Pon record.hours: 24 en su configuración, o suelta aquí una grabación. | 网桥没有保存此设备的消息。请在设置中启用 record.hours: 24，或拖入录制文件。
replay.badge | Replay | Replay | Repetición | 回放
replay.summary | {name} · {from} · {length} · {messages}, {updates} | {name} · {from} · {length} · {messages}, {updates} | {name} · {from} · {length} · {messages}, {updates} | {name} · {from} · {length} · {messages}，{updates}
replay.messages | {count} messages | {count} Nachrichten | {count} mensajes | {count}条消息
replay.messages.one | one message | eine Nachricht | un mensaje
replay.updates | {count} updates | {count} Aktualisierungen | {count} actualizaciones | {count}次更新
replay.updates.one | one update | eine Aktualisierung | una actualización
replay.slider | Moment of the replay | Zeitpunkt der Wiedergabe | Momento de la repetición | 回放的时刻
replay.tools | Virtual time | Virtuelle Zeit | Tiempo virtual | 虚拟时间
replay.back | To the change before | Zur Änderung davor | Al cambio anterior | 上一个变化
replay.forward | To the next change | Zur nächsten Änderung | Al cambio siguiente | 下一个变化
replay.play | Play | Abspielen | Reproducir | 播放
replay.pause | Pause | Anhalten | Pausa | 暂停
replay.speed | Speed | Tempo | Velocidad | 速度
replay.phone | What phones showed | Was Telefone zeigten | Qué mostraban los teléfonos | 手机显示的内容
replay.moment | At this moment | In diesem Moment | En este momento | 此刻
replay.before | As it is | So wie es ist | Como está | 现在的定义
replay.after | With the edit | Mit der Änderung | Con el cambio | 修改之后
replay.nothingShown | Nothing is shown. | Nichts ist zu sehen. | No se muestra nada. | 没有显示内容。
replay.lastMessage | Last message, {time} | Letzte Nachricht, {time} | Último mensaje, {time} | 最后一条消息，{time}
replay.noMessageYet | No message yet. | Noch keine Nachricht. | Aún ningún mensaje. | 还没有消息。
replay.lastUpdate | Update {count}, {time} | Aktualisierung {count}, {time} | Actualización {count}, {time} | 更新 {count}，{time}
replay.definition | The definition | Die Definition | La definición | 定义
replay.edit | What would this edit have done? | Was hätte diese Änderung bewirkt? | ¿Qué habría hecho este cambio? | 这样修改会怎样？
replay.editHelp | Change the definition. It is checked while you type, and the recording is replayed with both versions. Nothing is saved until you say so. | Ändere die Definition. Sie wird beim Tippen geprüft und die Aufzeichnung mit beiden Fassungen wiedergegeben. Gespeichert wird erst auf Wunsch. | Cambia la definición. Se comprueba mientras escribes y la grabación se reproduce con ambas versiones. Nada se guarda hasta que lo digas. | 修改定义。输入时即检查，并用两个版本回放录制。确认之前不会保存。
replay.save | Save | Speichern | Guardar | 保存
replay.reset | Undo all | Alles zurück | Deshacer todo | 全部撤销
replay.signIn | An administrator can save it. | Ein Administrator kann das speichern. | Un administrador puede guardarlo. | 管理员可以保存。
replay.mayNotEdit | Saving is switched off here: it needs http.edit: true and an administrator. | Speichern ist hier aus: Es braucht http.edit: true und einen Administrator. | Aquí no se puede guardar: hace falta http.edit: true y un administrador. | 此处不能保存：需要 http.edit: true 和管理员身份。
replay.shipped | This definition comes with Skerry and is not overwritten. Put your text as {kind}.yaml into a folder of your own that definitions names. | Diese Definition gehört zu Skerry und wird nicht überschrieben. Lege deinen Text als {kind}.yaml in einen eigenen Ordner, den definitions nennt. | Esta definición viene con Skerry y no se reemplaza. Pon tu texto como {kind}.yaml en una carpeta propia que figure en definitions. | 此定义随 Skerry 提供，不会被覆盖。请将你的文本存为 {kind}.yaml，放入 definitions 中列出的自己的文件夹。
replay.outdated | The file has changed since you opened it, so this edit is not saved over it. “Undo all” takes the new text; copy your edit first. | Die Datei hat sich geändert, seit sie hier geöffnet wurde, darum wird sie hiermit nicht überschrieben. „Alles zurück“ nimmt den neuen Text; kopiere vorher deine Änderung. | El archivo ha cambiado desde que lo abriste, así que esta edición no lo reemplaza. «Deshacer todo» toma el texto nuevo; copia antes tu edición. | 打开之后文件已被更改，因此不会用此编辑覆盖它。“全部撤销”会载入新文本，请先复制你的编辑。
replay.saved | Saved at {time}. Devices go on with it. | Um {time} gespeichert. Geräte laufen damit weiter. | Guardado a las {time}. Los dispositivos siguen con ella. | 已于 {time} 保存，设备继续使用它。
replay.more | {count} updates more are sent. | {count} Aktualisierungen mehr werden gesendet. | Se envían {count} actualizaciones más. | 多发送{count}次更新。
replay.more.one | One update more is sent. | Eine Aktualisierung mehr wird gesendet. | Se envía una actualización más.
replay.fewer | {count} updates are no longer sent. | {count} Aktualisierungen fallen weg. | {count} actualizaciones ya no se envían. | 少发送{count}次更新。
replay.fewer.one | One update is no longer sent. | Eine Aktualisierung fällt weg. | Una actualización ya no se envía.
replay.cut | {count} runs are cut into several. | {count} Läufe zerfallen in mehrere. | {count} ciclos se parten en varios. | {count}次运行被分成多次。
replay.cut.one | One run is cut into several. | Ein Lauf zerfällt in mehrere. | Un ciclo se parte en varios.
replay.joined | {count} runs are what were several before. | {count} Läufe waren vorher mehrere. | {count} ciclos antes eran varios. | {count}次运行原为多次。
replay.joined.one | One run is what were several before. | Ein Lauf war vorher mehrere. | Un ciclo antes eran varios.
replay.gone | {count} runs are gone. | {count} Läufe gibt es nicht mehr. | {count} ciclos desaparecen. | {count}次运行不再出现。
replay.gone.one | One run is gone. | Einen Lauf gibt es nicht mehr. | Un ciclo desaparece.
replay.new | {count} runs are new. | {count} Läufe sind neu. | {count} ciclos son nuevos. | 新增{count}次运行。
replay.new.one | One run is new. | Ein Lauf ist neu. | Un ciclo es nuevo.
replay.becomes | becomes | wird zu | pasa a | 变为
replay.differs | The edit changes what people see | Die Änderung ändert, was zu sehen ist | El cambio cambia lo que se ve | 此修改改变了显示内容
replay.same | The edit changes nothing that people would have seen in this recording | In dieser Aufzeichnung wäre kein Unterschied zu sehen gewesen | El cambio no habría cambiado nada de lo que se vio en esta grabación | 在此录制中，显示内容没有变化
replay.runs | Runs | Läufe | Ciclos | 运行
replay.bytes | Bytes | Bytes | Bytes | 字节
replay.first | First difference at {time}: before “{before}”, with the edit “{after}”. | Erster Unterschied um {time}: bisher „{before}“, mit der Änderung „{after}“. | Primera diferencia a las {time}: antes «{before}», con el cambio «{after}». | 首个差别在 {time}：原为“{before}”，修改后“{after}”。
replay.firstFields | First difference at {time}, in {fields}. | Erster Unterschied um {time}, in {fields}. | Primera diferencia a las {time}, en {fields}. | 首个差别在 {time}：{fields}。
replay.firstTime | First difference at {time}: one version sends an update there. | Erster Unterschied um {time}: Dort sendet nur eine Fassung. | Primera diferencia a las {time}: solo una versión envía ahí. | 首个差别在 {time}：只有一个版本发送更新。
replay.firstLook | First difference at {time}: the same values, in other words or another look. | Erster Unterschied um {time}: dieselben Werte, mit anderen Worten oder anders gezeichnet. | Primera diferencia a las {time}: los mismos valores, con otras palabras u otro aspecto. | 首个差别在 {time}：数值相同，但文字或外观不同。
replay.goThere | Show it | Zeigen | Mostrar | 查看
people.why | Why, and what comes next | Warum, und was folgt | Por qué, y qué sigue | 原因与后续
people.runs | Last runs | Letzte Läufe | Últimos ciclos | 最近的运行
people.noRuns | No runs yet. | Noch keine Läufe. | Aún no hay ciclos. | 还没有运行记录。
people.usual | usually {length} | meist {length} | suele durar {length} | 通常{length}
people.allRuns | All runs | Alle Läufe | Todos los ciclos | 全部运行
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
fact.valve | Valve | Ventil | Válvula | 阀门
signal.left | Time left | Restzeit | Tiempo restante | 剩余时间
signal.operation | Operation | Betrieb | Funcionamiento | 运行状态
signal.mode | Mode | Modus | Modo | 模式
signal.phase | Phase | Phase | Fase | 阶段
signal.status | Status | Status | Estado | 状态
signal.job | Job | Auftrag | Trabajo | 任务
signal.door | Door | Tür | Puerta | 门
signal.dock | Dock | Station | Base | 基座
signal.doing | Activity | Tätigkeit | Actividad | 动作
signal.process | Process | Vorgang | Proceso | 过程
signal.progress | Progress | Fortschritt | Progreso | 进度
signal.energy | Energy | Energie | Energía | 电能
signal.battery | Battery | Akku | Batería | 电池
signal.error | Error | Fehler | Error | 错误
signal.reason | Reason | Grund | Motivo | 原因
signal.file | File | Datei | Archivo | 文件
signal.weight | Weight | Gewicht | Peso | 重量
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
why.ON | on | an | encendido | 开
why.OFF | off | aus | apagado | 关
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
