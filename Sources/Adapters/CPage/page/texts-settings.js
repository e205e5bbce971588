// The words of Settings and of the broker.
import { addLines } from "./texts.js";

addLines(`
settings.needsAdmin | Only an administrator can do this. | Das kann nur ein Administrator. | Esto solo lo puede hacer un administrador. | 只有管理员可以这样做。
settings.browsers | Browsers | Browser | Navegadores | 浏览器
settings.noBrowsers | No browser has been let in yet. | Noch wurde kein Browser zugelassen. | Aún no se ha dejado entrar a ningún navegador. | 还没有允许任何浏览器登录。
settings.seen | last seen {ago} | zuletzt gesehen {ago} | visto {ago} | {ago}来过
settings.thisBrowser | this browser | dieser Browser | este navegador | 此浏览器
settings.letInAt | Let in on {time} | Hereingelassen am {time} | Entró el {time} | 登录时间：{time}
settings.end | End session | Sitzung beenden | Terminar la sesión | 结束会话
settings.endNamed | End the session of {name} | Sitzung von {name} beenden | Terminar la sesión de {name} | 结束 {name} 的会话
settings.letIn | Let a browser in | Einen Browser hereinlassen | Dejar entrar a un navegador | 允许一个浏览器登录
settings.letInWhy | Open this page in the other browser, choose Sign in and enter the code, or scan the QR code there. The code is valid for ten minutes and for one browser. | Öffne diese Seite im anderen Browser, wähle Anmelden und gib den Code ein, oder scanne dort den QR-Code. Er gilt zehn Minuten und für einen Browser. | Abre esta página en el otro navegador, elige Entrar y escribe el código, o escanea allí el código QR. Vale diez minutos y para un navegador. | 在另一个浏览器中打开此页面，选择“登录”并输入代码，或在那里扫描二维码。代码十分钟内有效，只能用于一个浏览器。
settings.letInName | Name of the browser | Name des Browsers | Nombre del navegador | 浏览器的名称
settings.letInNameExample | Kitchen wall | Küchenwand | Pared de la cocina | 厨房墙面
settings.letInScan | Scan this with the other device, or type: | Mit dem anderen Gerät scannen oder eintippen: | Escanéalo con el otro dispositivo o escribe: | 用另一台设备扫描，或输入：
settings.unreachable | Another device can probably not reach this address. Set http.url to one that it can. | Ein anderes Gerät erreicht diese Adresse wahrscheinlich nicht. Setze http.url auf eine, die es erreicht. | Es probable que otro dispositivo no llegue a esta dirección. Pon en http.url una a la que llegue. | 另一台设备可能无法访问此地址。请把 http.url 设为它能访问的地址。
settings.letInDone | {name} has been let in. | {name} wurde zugelassen. | {name} puede entrar. | {name} 已登录。
settings.role | What it may do | Was er darf | Qué puede hacer | 可以做什么
settings.may.viewer | only looks, for example a tablet on the wall. | schaut nur zu, zum Beispiel ein Tablet an der Wand. | solo mira, por ejemplo una tableta en la pared. | 只能查看，例如墙上的平板。
settings.may.member | also sends events to devices and chooses their names. | sendet auch Ereignisse an Geräte und gibt ihnen Namen. | también envía eventos a los dispositivos y elige sus nombres. | 还可以向设备发送事件并为其命名。
settings.may.admin | may do everything. | darf alles. | puede hacerlo todo. | 可以做一切。
settings.phones | Phones | Telefone | Teléfonos | 手机
settings.noPhones | No phone is paired yet. | Noch ist kein Telefon gekoppelt. | Aún no hay ningún teléfono emparejado. | 还没有配对的手机。
settings.development | installed by Xcode | von Xcode installiert | instalado por Xcode | 由 Xcode 安装
settings.heard | Last heard | Zuletzt gehört | Última noticia | 最近联系
settings.paired | Paired | Gekoppelt | Emparejado | 配对于
settings.tokens | Tokens | Tokens | Tokens | 令牌
settings.tokenCount | starts: {n}, activities: {activities} | Starts: {n}, Aktivitäten: {activities} | inicios: {n}, actividades: {activities} | 启动 {n}，活动 {activities}
settings.pushes | Pushes | Pushes | Envíos | 推送
settings.pushCount | {accepted} of {sent} accepted, {refused} refused | {accepted} von {sent} angenommen, {refused} abgelehnt | {accepted} de {sent} aceptados, {refused} rechazados | 共 {sent} 次，接受 {accepted}，拒绝 {refused}
settings.frequent | Frequent updates | Häufige Updates | Actualizaciones frecuentes | 频繁更新
settings.oldTokens | Its tokens were confirmed {ago}. Open the app once, so that pushes arrive. | Seine Tokens wurden {ago} bestätigt. Öffne die App einmal, damit Pushes ankommen. | Sus tokens se confirmaron {ago}. Abre la app una vez para que lleguen los avisos. | 令牌在{ago}得到确认。请打开一次应用，以便推送送达。
settings.test | Send a test | Test senden | Enviar una prueba | 发送测试
settings.testSent | A test activity was sent. It is removed after a minute. | Eine Test-Aktivität wurde gesendet. Nach einer Minute wird sie entfernt. | Se envió una actividad de prueba. Desaparece al cabo de un minuto. | 已发送测试活动，一分钟后移除。
settings.remove | Remove | Entfernen | Quitar | 移除
settings.removeSure | Really remove {name}? | {name} wirklich entfernen? | ¿Quitar de verdad {name}? | 确定移除 {name}？
settings.of | {used} of {limit} | {used} von {limit} | {used} de {limit} | {used} / {limit}
settings.budget.updates | Urgent pushes in an hour | Dringende Pushes je Stunde | Avisos urgentes por hora | 每小时紧急推送
settings.budget.starts | Activities started in an hour | Gestartete Aktivitäten je Stunde | Actividades iniciadas por hora | 每小时启动的活动
settings.budget.activities | Activities at once | Aktivitäten gleichzeitig | Actividades a la vez | 同时显示的活动
settings.budget.widgets | Pushes for widgets in a day | Pushes für Widgets je Tag | Avisos para widgets por día | 每天的小组件推送
settings.pair | Let a phone in | Ein Telefon hereinlassen | Admitir un teléfono | 添加手机
settings.pairWhy | The app reads a code from this page. It is valid for ten minutes and for one phone. | Die App liest einen Code von dieser Seite. Er gilt zehn Minuten und für ein Telefon. | La app lee un código de esta página. Vale diez minutos y para un solo teléfono. | 应用会读取此页面上的配对码。它十分钟内有效，只能用于一部手机。
settings.pairName | Name of the phone | Name des Telefons | Nombre del teléfono | 手机名称
settings.pairNameExample | Ada’s iPhone | Adas iPhone | iPhone de Ada | Ada 的 iPhone
settings.person | Person | Person | Persona | 所属的人
settings.personExample | optional, such as Ada | optional, etwa Ada | opcional, p. ej. Ada | 可选，例如 Ada
settings.showCode | Show the code | Code zeigen | Mostrar el código | 显示配对码
settings.qr | The code as a QR code | Der Code als QR-Code | El código como código QR | 配对码的二维码
settings.pairScan | Scan this with the phone, or type: | Mit dem Telefon scannen oder eintippen: | Escanéalo con el teléfono o escribe: | 用手机扫描，或输入：
settings.reach | It reaches the bridge at {url}. | Es erreicht die Bridge unter {url}. | Llega al puente en {url}. | 它通过 {url} 访问网桥。
settings.valid | Valid for {length} | Gilt noch {length} | Válido {length} más | 还有 {length} 有效
settings.openHere | This is the phone: open the app | Dies ist das Telefon: App öffnen | Este es el teléfono: abrir la app | 就是这部手机：打开应用
settings.doneHere | Close | Schließen | Cerrar | 关闭
settings.pairDone | {name} is paired. | {name} ist gekoppelt. | {name} está emparejado. | {name} 已配对。
settings.another | Let another one in | Noch eines hereinlassen | Admitir otro | 再添加一部
settings.expired | The code has expired. Show a new one. | Der Code ist abgelaufen. Zeige einen neuen. | El código ha caducado. Muestra uno nuevo. | 配对码已过期，请显示新的。
settings.guest | A link for a guest | Ein Link für Gäste | Un enlace para invitados | 访客链接
settings.guestWhy | Shows one device to somebody without a token, until its run ends: “the laundry is nearly done” for the neighbour. | Zeigt jemandem ohne Token ein Gerät, bis sein Lauf endet: „Die Wäsche ist gleich fertig“ für die Nachbarin. | Muestra un dispositivo a alguien sin token hasta que termine: «la colada está casi lista» para la vecina. | 让没有令牌的人查看一台设备，直到这次运行结束，例如告诉邻居“衣服快洗好了”。
settings.guestDevice | Device | Gerät | Dispositivo | 设备
settings.guestMake | Make a link | Link anlegen | Crear enlace | 生成链接
settings.guestUntil | It works until this run ends. | Er gilt, bis dieser Lauf endet. | Funciona hasta que termine esta ejecución. | 链接在这次运行结束前有效。
settings.guestNobody | Nothing is running just now. | Gerade läuft nichts. | Ahora mismo no hay nada en marcha. | 现在没有设备在运行。
settings.confirmed | Tokens confirmed | Tokens bestätigt | Tokens confirmados | 令牌确认于
settings.errors | What did not arrive | Was nicht ankam | Lo que no llegó | 未送达的内容
settings.errorsOf | Errors of | Fehler von | Errores de | 错误来自
settings.errorsOfAll | all phones and services | allen Telefonen und Diensten | todos los teléfonos y servicios | 所有手机和服务
settings.noErrors | Everything has arrived. | Alles ist angekommen. | Todo ha llegado. | 全部已送达。
settings.days | Day by day, since the bridge started | Tag für Tag, seit dem Start der Bridge | Día a día, desde que arrancó el puente | 自网桥启动以来的每日统计
settings.day | Day | Tag | Día | 日期
settings.messagesIn | Messages in | Nachrichten herein | Mensajes recibidos | 收到的消息
settings.updatesOut | Updates out | Updates hinaus | Actualizaciones enviadas | 发出的更新
settings.health | How the bridge is doing | Wie es der Bridge geht | Cómo está el puente | 网桥的状况
settings.bridge | Bridge | Bridge | Puente | 网桥
settings.bridgeUp | Running for {length} | Läuft seit {length} | En marcha desde hace {length} | 已运行 {length}
settings.bridgeDetail | Version {version}, publishes under {prefix}/ | Version {version}, veröffentlicht unter {prefix}/ | Versión {version}, publica en {prefix}/ | 版本 {version}，发布在 {prefix}/ 之下
settings.broker | Broker | Broker | Bróker | 消息代理
settings.brokerUp | Connected {ago} | Verbunden {ago} | Conectado {ago} | {ago}连接
settings.brokerDown | Lost {ago} | Verloren {ago} | Perdido {ago} | {ago}断开
settings.brokerNever | Not reached yet | Noch nicht erreicht | Aún sin conexión | 尚未连接
settings.connects | {count} connections so far | bisher {count} Verbindungen | {count} conexiones hasta ahora | 共连接 {count} 次
settings.traffic | Messages | Nachrichten | Mensajes | 消息
settings.trafficWords | {messages} in, {updates} updates out | {messages} herein, {updates} Updates hinaus | {messages} recibidos, {updates} actualizaciones enviadas | 收到 {messages} 条，发出 {updates} 次更新
settings.trafficWords.one | {messages} in, one update out | {messages} herein, ein Update hinaus | {messages} recibidos, una actualización enviada
settings.unrouted | {n} for no definition | {n} für keine Definition | {n} sin definición | {n} 条没有对应的定义
settings.refused | {n} refused | {n} abgelehnt | {n} rechazados | {n} 条被拒绝
settings.waiting | {n} wait for the broker | {n} warten auf den Broker | {n} esperan al bróker | {n} 条等待消息代理
settings.dropped | {n} given up | {n} aufgegeben | {n} abandonados | {n} 条被放弃
settings.store | Store | Speicher | Almacén | 存储
settings.storeOn | Devices and timers survive a restart | Geräte und Timer überstehen einen Neustart | Dispositivos y temporizadores sobreviven a un reinicio | 设备和计时器在重启后继续
settings.storeOff | There is none: a restart forgets everything | Es gibt keinen: ein Neustart vergisst alles | No hay: un reinicio lo olvida todo | 没有存储：重启后一切都会忘记
settings.record | keeps the last {length} of messages | behält die Nachrichten der letzten {length} | guarda los mensajes de las últimas {length} | 保留最近 {length} 的消息
settings.setAside | set aside: {names} | beiseitegelegt: {names} | apartados: {names} | 已搁置：{names}
settings.sinks | Pushes | Pushes | Avisos | 推送
settings.sinksWords | Phones: {phones}, waiting deliveries: {waiting} | Telefone: {phones}, wartende Zustellungen: {waiting} | Teléfonos: {phones}, entregas en espera: {waiting} | {phones} 部手机，{waiting} 条待送达
settings.noSinks | No phone gets pushes | Kein Telefon bekommt Pushes | Ningún teléfono recibe avisos | 没有手机接收推送
settings.clock | Clock | Uhr | Reloj | 时钟
settings.clockUnknown | The wall clock has not been set since the start | Die Uhr wurde seit dem Start nicht gestellt | El reloj no se ha puesto en hora desde el inicio | 启动以来系统时钟尚未校准
settings.foreign | Another bridge | Eine andere Bridge | Otro puente | 另一个网桥
settings.foreignWords | {n} messages of another client on this bridge’s topics. Give one of them another prefix. | {n} Nachrichten eines anderen Clients auf den Topics dieser Bridge. Gib einer von beiden ein anderes Präfix. | {n} mensajes de otro cliente en los temas de este puente. Da otro prefijo a uno de los dos. | 另一个客户端在本网桥的主题上发了 {n} 条消息。请给其中一个换前缀。
settings.lastError | The last problem, {ago}: | Das letzte Problem, {ago}: | El último problema, {ago}: | 最近的问题，{ago}：
settings.role.local | you are on the gateway | du bist auf dem Gateway | estás en la pasarela | 你在网关上
settings.role.admin | you are the administrator | du bist der Administrator | eres el administrador | 你是管理员
settings.role.viewer | you only look | du schaust nur zu | solo miras | 你只能查看
settings.role.member | you are a member | du bist Mitglied | eres miembro | 你是成员
settings.role.phone | you come from a paired phone | du kommst von einem gekoppelten Telefon | vienes de un teléfono emparejado | 你来自已配对的手机
settings.role.guest | you are a guest | du bist Gast | eres invitado | 你是访客
settings.role.unknown | the bridge has not answered yet | die Bridge hat noch nicht geantwortet | el puente aún no ha respondido | 网桥还没有回答
broker.signIn | An administrator can set it here. | Ein Administrator kann ihn hier einstellen. | Un administrador puede ajustarlo aquí. | 管理员可以在此设置。
broker.host | Name or address | Name oder Adresse | Nombre o dirección | 名称或地址
broker.port | Port | Port | Puerto | 端口
broker.tls | Encryption | Verschlüsselung | Cifrado | 加密
broker.tls.none | None | Keine | Ninguno | 无
broker.tls.system | TLS, known certificate authority | TLS, bekannte Zertifizierungsstelle | TLS, autoridad conocida | TLS，公认的颁发机构
broker.tls.authority | TLS, own certificate authority | TLS, eigene Zertifizierungsstelle | TLS, autoridad propia | TLS，自己的颁发机构
broker.authority | CA certificate (PEM) | CA-Zertifikat (PEM) | Certificado de la autoridad (PEM) | 颁发机构的证书（PEM）
broker.authorityKept | Without a new file, the present one stays. | Ohne neue Datei bleibt die jetzige. | Sin un archivo nuevo, queda el actual. | 不选择新文件则保留现有文件。
broker.username | User | Benutzer | Usuario | 用户名
broker.password | Password | Passwort | Contraseña | 密码
broker.kept | unchanged | unverändert | sin cambios | 保持不变
broker.try | Try and use it | Ausprobieren und verwenden | Probar y usar | 尝试并使用
broker.trying | Trying… | Wird ausprobiert… | Probando… | 正在尝试……
broker.works | It works. The bridge starts again with it… | Das geht. Die Bridge startet damit neu… | Funciona. El puente vuelve a arrancar con él… | 连接成功。网桥正用它重新启动……
broker.back | Use the broker of the configuration again | Wieder den Broker der Konfiguration verwenden | Volver al bróker de la configuración | 恢复使用配置中的消息代理
broker.backSure | Really go back? Press again | Wirklich zurück? Noch einmal drücken | ¿Volver de verdad? Pulsa otra vez | 确定恢复？请再按一次
broker.starts | The bridge starts again… | Die Bridge startet neu… | El puente vuelve a arrancar… | 网桥正在重新启动……
broker.done | The bridge is connected to {address}. | Die Bridge ist mit {address} verbunden. | El puente está conectado a {address}. | 网桥已连接到 {address}。
broker.notYet | The bridge runs with {address}, but it is not connected yet. | Die Bridge läuft mit {address}, ist aber noch nicht verbunden. | El puente usa {address}, pero aún no está conectado. | 网桥使用 {address}，但尚未连接。
broker.gone | The bridge does not answer. Its log says why. | Die Bridge antwortet nicht. Ihr Protokoll sagt, warum. | El puente no responde. Su registro dice por qué. | 网桥没有应答，原因见其日志。
broker.nothing | Nothing has changed. | Nichts wurde geändert. | No ha cambiado nada. | 未作任何更改。
broker.error.broker-unknown | No host has this name. | Diesen Namen gibt es im Netz nicht. | Ningún equipo tiene este nombre. | 没有主机使用此名称。
broker.error.broker-unreachable | Nothing answers there. | Dort antwortet niemand. | Allí no responde nadie. | 那里没有应答。
broker.error.broker-insecure | The encrypted connection fails. | Die verschlüsselte Verbindung kommt nicht zustande. | Falla la conexión cifrada. | 加密连接失败。
broker.error.broker-login | The broker refuses user and password. | Der Broker weist Benutzer und Passwort ab. | El bróker rechaza usuario y contraseña. | 消息代理拒绝了用户名和密码。
broker.error.broker-refused | The broker refuses the connection. | Der Broker weist die Verbindung ab. | El bróker rechaza la conexión. | 消息代理拒绝连接。
broker.error.broker-lost | There is an answer, but not one of a broker. Does it expect TLS? | Dort antwortet etwas, aber nicht wie ein Broker. Erwartet es TLS? | Algo responde, pero no como un bróker. ¿Espera TLS? | 有应答，但不像消息代理。是否需要 TLS？
broker.error.broker-settings | The bridge can’t use this. | Damit kann die Bridge nichts anfangen. | El puente no puede usar esto. | 网桥无法使用这些设置。
broker.error.broker-taken | Another bridge is at this broker. | An diesem Broker ist schon eine andere Bridge. | Otro puente usa ya este bróker. | 另一个网桥已在使用此消息代理。
broker.error.password-needed | The stored password is for the former broker. Enter one. | Das gespeicherte Passwort ist für den bisherigen Broker. Gib eins ein. | La contraseña guardada es del bróker anterior. Escribe una. | 保存的密码属于原来的消息代理，请输入密码。
broker.error.no-authority | Choose the CA certificate file. | Wähle die Datei mit dem CA-Zertifikat. | Elige el archivo de la autoridad. | 请选择颁发机构的文件。
`);
