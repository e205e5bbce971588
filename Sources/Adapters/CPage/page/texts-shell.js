// The words of the shell, of signing in, and of Now with its rooms and with the devices that were found.
import { addLines } from "./texts.js";

addLines(`
shell.skip | Skip to content | Zum Inhalt | Ir al contenido | 跳到内容
shell.home | Skerry, what is running now | Skerry, was gerade läuft | Skerry, qué está en marcha | Skerry，正在运行的设备
shell.navigation | Main | Hauptmenü | Principal | 主导航
shell.tab.now | Now | Jetzt | Ahora | 现在
shell.tab.phone | Phone | Telefon | Teléfono | 手机
shell.tab.history | History | Verlauf | Historial | 历史
shell.tab.replay | Replay | Replay | Repetición | 回放
shell.tab.settings | Settings | Einstellungen | Ajustes | 设置
shell.display | Appearance and language | Aussehen und Sprache | Aspecto e idioma | 外观与语言
shell.theme | Appearance | Aussehen | Aspecto | 外观
shell.theme.system | System | System | Sistema | 跟随系统
shell.theme.light | Light | Hell | Claro | 浅色
shell.theme.dark | Dark | Dunkel | Oscuro | 深色
shell.language | Language | Sprache | Idioma | 语言
shell.languageAuto | As the browser | Wie der Browser | El del navegador | 跟随浏览器
shell.wall | Show it on a wall tablet | Auf einem Wandtablet zeigen | Mostrar en una tableta de pared | 在墙面平板上显示
shell.leaveWall | Leave the wall display | Wandanzeige verlassen | Salir de la pantalla de pared | 退出墙面显示
shell.clock | Time | Uhrzeit | Hora | 时间
shell.lost | The bridge does not answer. | Die Bridge antwortet nicht. | El puente no responde. | 网桥没有响应。
shell.noBroker | The bridge has no connection to its broker. | Die Bridge hat keine Verbindung zu ihrem Broker. | El puente no tiene conexión con su bróker. | 网桥没有连接到消息代理。
shell.partial | Devices of partition {names} are as they were: it does not answer. | Partition {names} antwortet nicht: Ihre Geräte sind, wie sie waren. | La partición {names} no responde: sus dispositivos se muestran como estaban. | 分区 {names} 没有响应，其设备显示的是之前的状态。
shell.asOf | This is how it was at {time}. | So war es um {time}. | Así estaba a las {time}. | 以下是 {time} 时的情况。
shell.tryNow | Try now | Jetzt versuchen | Probar ahora | 立即重试
shell.tryAgain | Try again | Noch einmal versuchen | Probar otra vez | 重试
shell.resumed | Connected again since {time}. Everything is up to date. | Seit {time} wieder verbunden. Alles ist auf dem neuesten Stand. | Conectado de nuevo desde las {time}. Todo está al día. | 已于 {time} 重新连接，内容均为最新。
shell.viewMissing | This view could not be loaded. Is the bridge still there? | Diese Ansicht ließ sich nicht laden. Ist die Bridge noch da? | No se pudo cargar esta vista. ¿Sigue ahí el puente? | 无法加载此视图。网桥还在运行吗？
shell.moved | {name}: {title} | {name}: {title} | {name}: {title} | {name}：{title}
shell.title | {state}, {length} | {state}, {length} | {state}, {length} | {state}，{length}
shell.copy | Copy | Kopieren | Copiar | 复制
shell.discard | Throw away what you have changed? | Deine Änderungen verwerfen? | ¿Descartar lo que has cambiado? | 放弃已做的更改？
shell.wallSleeps | This screen may turn off by itself: a browser keeps it on only over https. | Dieser Bildschirm geht vielleicht von selbst aus: Ein Browser hält ihn nur über https an. | Puede que esta pantalla se apague sola: un navegador solo la mantiene encendida con https. | 此屏幕可能会自动关闭：浏览器只有在 https 下才会让它保持常亮。
shell.wallNote | About this screen | Zu diesem Bildschirm | Sobre esta pantalla | 关于此屏幕
shell.signIn | Sign in | Anmelden | Entrar | 登录
shell.account | {name}: your session | {name}: deine Sitzung | {name}: tu sesión | {name}：你的会话
shell.signOut | Sign out | Abmelden | Salir | 退出登录
shell.signInOther | Sign in with another code | Mit einem anderen Code anmelden | Entrar con otro código | 用另一个代码登录
role.viewer | Viewer | Zuschauer | Espectador | 查看者
role.member | Member | Mitglied | Miembro | 成员
role.admin | Administrator | Administrator | Administrador | 管理员
role.phone | Paired phone | Gekoppeltes Telefon | Teléfono emparejado | 已配对的手机
state.idle | Idle | Ruht | En reposo | 空闲
state.standby | Standby | Bereit | En espera | 待机
state.waiting | Waiting | Wartet | Esperando | 等待
state.off | Off | Aus | Apagado | 关
state.closed | Closed | Geschlossen | Cerrado | 已关闭
state.running | Running | Läuft | En marcha | 运行中
guest.over | It is done | Fertig | Ya está | 已完成
guest.overWhy | This link was for one run, and the run is over. You can close this page. | Dieser Link galt für einen Lauf, und der ist vorbei. Du kannst die Seite schließen. | Este enlace era para una ejecución, y ya ha terminado. Puedes cerrar la página. | 此链接只用于一次运行，运行已经结束。你可以关闭此页面。
card.yes | yes | ja | sí | 是
card.no | no | nein | no | 否
card.ended | Ended | Beendet | Terminado | 已结束
card.stale | Silent | Still | En silencio | 无消息
card.paused | Paused | Pause | En pausa | 已暂停
card.left | {length} left | noch {length} | a falta de {length} | 还剩 {length}
card.since | for {length} | seit {length} | desde hace {length} | 已 {length}
card.progress | Progress | Fortschritt | Progreso | 进度
card.endedTook | {ago}, after {length} | {ago}, nach {length} | {ago}, tras {length} | {ago}，历时 {length}
card.endedAt | {ago} | {ago} | {ago} | {ago}
card.away | Not reachable | Nicht erreichbar | No se puede alcanzar | 无法连接
card.silent | No message for {length}. This may be out of date. | Seit {length} keine Nachricht. Das ist vielleicht veraltet. | Ningún mensaje desde hace {length}. Puede estar anticuado. | 已有 {length} 没有消息，内容可能已过时。
card.maybeOld | This may be out of date. | Das ist vielleicht veraltet. | Puede estar anticuado. | 内容可能已过时。
card.next | Next {time}: {what} | Als Nächstes {time}: {what} | Después, {time}: {what} | 接下来 {time}：{what}
card.sent | {event}: sent | {event}: gesendet | {event}: enviado | {event}：已发送
card.kept | {event}: sent when the broker is back | {event}: kommt an, wenn der Broker wieder da ist | {event}: se envía cuando vuelva el bróker | {event}：消息代理恢复后发送
fact.time.start | Starts in | Startet in | Empieza en | 距开始
fact.time.delay | Starts in | Startet in | Empieza en | 距开始
fact.time.open | Open | Offen | Abierto | 已打开
fact.time.run | Running | Läuft | En marcha | 已运行
fact.time.charge | Charging | Lädt | Cargando | 充电
fact.time.clean | Cleaning | Reinigt | Limpiando | 清扫
fact.time.limit | Until its limit | Bis zum Limit | Hasta el límite | 距上限
fact.time.recharge | Recharging | Lädt nach | Recargando | 补充充电
fact.power | Power | Leistung | Potencia | 功率
fact.level | Level | Stand | Nivel | 电量
fact.program | Program | Programm | Programa | 程序
fact.type | Type | Art | Tipo | 类型
fact.ahead | Ahead of you | Vor dir | Antes que tú | 在您之前
fact.price | Price | Preis | Precio | 价格
fact.flow | Flow | Durchfluss | Caudal | 流量
now.running | Running, and ended lately | Läuft, und gerade beendet | En marcha, y terminado hace poco | 运行中和刚刚结束
now.quiet | Quiet | Ruhig | En calma | 安静
now.earlier | Earlier | Früher | Antes | 早些时候
now.allRuns | All runs | Alle Läufe | Todas las ejecuciones | 全部运行
now.heard | heard {ago} | gehört {ago} | oído {ago} | {ago}收到消息
now.waiting | Waiting for its first message | Wartet auf die erste Nachricht | Espera su primer mensaje | 等待第一条消息
now.took | {length}, {count} updates | {length}, {count} Updates | {length}, {count} actualizaciones | {length}，{count} 次更新
now.took.one | {length}, one update | {length}, ein Update | {length}, una actualización
now.anyMoment | Any moment now | Jeden Moment | En cualquier momento | 马上就好
now.lastEnded | {name} ended at {time} | {name} war um {time} fertig | {name} terminó a las {time} | {name} 于 {time} 结束
now.done | All done | Alles fertig | Todo listo | 全部完成
now.allQuiet | All quiet | Alles ruhig | Todo en calma | 一切安静
now.in | {n} messages in | {n} Nachrichten herein | {n} mensajes recibidos | 收到 {n} 条消息
now.in.one | one message in | eine Nachricht herein | un mensaje recibido
now.out | {n} updates out | {n} Updates hinaus | {n} actualizaciones enviadas | 发出 {n} 次更新
now.out.one | one update out | ein Update hinaus | una actualización enviada
now.sinceTime | since {time} | seit {time} | desde las {time} | 自 {time} 起
now.sinceDay | since {time} | seit {time} | desde {time} | 自{time}起
welcome.title | No devices yet | Noch keine Geräte | Aún no hay dispositivos | 还没有设备
welcome.lead | Skerry is listening. As soon as a device that it knows sends a message, its card appears here. | Skerry hört zu. Sobald ein Gerät, das es kennt, eine Nachricht sendet, erscheint hier seine Karte. | Skerry escucha. En cuanto un dispositivo que conoce envíe un mensaje, su tarjeta aparecerá aquí. | Skerry 正在倾听。只要它认识的设备发来消息，卡片就会出现在这里。
welcome.leadAway | Once the broker answers, the card of each device that Skerry knows appears here with its first message. | Sobald der Broker antwortet, erscheint hier die Karte jedes Geräts, das Skerry kennt, mit dessen erster Nachricht. | Cuando responda el bróker, la tarjeta de cada dispositivo que Skerry conoce aparecerá aquí con su primer mensaje. | 消息代理应答后，Skerry 认识的每台设备发来第一条消息时，卡片就会出现在这里。
welcome.known | Devices that Skerry knows | Geräte, die Skerry kennt | Dispositivos que Skerry conoce | Skerry 认识的设备
welcome.knownWhy | Skerry waits for messages on these topics. Start one of these devices. | Auf diesen Topics wartet Skerry auf Nachrichten. Schalte eines dieser Geräte ein. | Skerry espera mensajes en estos temas. Enciende uno de estos dispositivos. | Skerry 在这些主题上等待消息。启动其中一台设备吧。
welcome.noneKnown | None is in use yet. | Noch ist keines in Gebrauch. | Aún no se usa ninguno. | 还没有设备在用。
welcome.adopts | What Skerry recognises beyond doubt gets a card by itself. An administrator chooses the others under “Add a device”. | Was Skerry zweifelsfrei erkennt, bekommt von selbst eine Karte. Die anderen wählt ein Administrator unter „Gerät hinzufügen“. | Los que Skerry reconoce sin duda reciben su tarjeta por sí solos. Los demás los elige un administrador en «Añadir un dispositivo». | Skerry 能确切认出的设备会自动出现卡片。其他设备由管理员在“添加设备”中选用。
welcome.adoptsNone | No other device gets a card by itself: an administrator chooses it under “Add a device”. | Kein anderes Gerät bekommt von selbst eine Karte: Ein Administrator wählt es unter „Gerät hinzufügen“. | Ningún otro recibe su tarjeta por sí solo: lo elige un administrador en «Añadir un dispositivo». | 其他设备不会自动出现卡片，由管理员在“添加设备”中选用。
welcome.broker | The broker | Der Broker | El bróker | 消息代理
welcome.brokerUp | Connected to {address}. | Verbunden mit {address}. | Conectado a {address}. | 已连接到 {address}。
welcome.brokerTrying | Connecting to {address}… | Verbindet sich mit {address}… | Conectando con {address}… | 正在连接 {address}……
welcome.brokerDown | There is no connection to {address}: | Keine Verbindung zu {address}: | No hay conexión con {address}: | 无法连接到 {address}：
welcome.brokerWhere | Its address, name and password stand under mqtt in {file}. After a change, restart the bridge. | Adresse, Name und Passwort stehen unter mqtt in {file}. Starte die Bridge nach einer Änderung neu. | Su dirección, usuario y contraseña están en mqtt, en {file}. Después de cambiarlos, reinicia el puente. | 它的地址、用户名和密码写在 {file} 的 mqtt 下。修改后请重启网桥。
welcome.brokerNoFile | It was given to the bridge when that was started: an address with --host and --port, or under mqtt in skerry.yaml. After a change, restart the bridge. | Die Bridge bekam ihn beim Start: mit --host und --port, oder unter mqtt in skerry.yaml. Starte die Bridge nach einer Änderung neu. | El puente lo recibió al arrancar: con --host y --port, o en mqtt de skerry.yaml. Después de cambiarlo, reinicia el puente. | 网桥启动时得到它：通过 --host 和 --port，或 skerry.yaml 中的 mqtt。修改后请重启网桥。
welcome.try | Or watch a demonstration | Oder eine Vorführung ansehen | O mira una demostración | 或者看一个演示
welcome.tryWhy | A washer, a printer and a valve, played 60 times as fast, on a broker of their own (package skerry-workshop): | Waschmaschine, Drucker und Ventil, 60-mal so schnell, auf einem eigenen Broker (Paket skerry-workshop): | Una lavadora, una impresora y una válvula, 60 veces más rápido, en su propio bróker (paquete skerry-workshop): | 洗衣机、打印机和阀门，以 60 倍速度在独立的消息代理上运行（软件包 skerry-workshop）：
rooms.tools | Devices | Geräte | Dispositivos | 设备
rooms.search | Search devices | Geräte suchen | Buscar dispositivos | 搜索设备
rooms.room | Room | Raum | Habitación | 房间
rooms.all | All | Alle | Todas | 全部
rooms.dense | Small cards | Kleine Karten | Tarjetas pequeñas | 小卡片
rooms.arrange | Arrange | Anordnen | Organizar | 整理
rooms.nothing | No device matches. | Kein Gerät passt dazu. | Ningún dispositivo coincide. | 没有符合的设备。
rooms.title | Arrange devices | Geräte anordnen | Organizar dispositivos | 整理设备
rooms.why | Names, rooms and the order on the page. Running devices still come first. | Namen, Räume und die Reihenfolge auf der Seite. Was läuft, steht weiterhin vorn. | Nombres, habitaciones y el orden en la página. Los que están en marcha van siempre primero. | 名称、房间和页面上的顺序。运行中的设备仍排在最前。
rooms.mayNotRename | Names can't be changed here: that needs http.edit: true and an administrator. | Namen lassen sich hier nicht ändern: Das braucht http.edit: true und einen Administrator. | Aquí no se pueden cambiar los nombres: hace falta http.edit: true y un administrador. | 此处不能更改名称：需要 http.edit: true 和管理员身份。
rooms.name | Name of {name} | Name von {name} | Nombre de {name} | {name}的名称
rooms.roomOf | Room of {name} | Raum von {name} | Habitación de {name} | {name}的房间
rooms.shown | Show {name} | {name} zeigen | Mostrar {name} | 显示{name}
rooms.called | Name | Name | Nombre | 名称
rooms.isShown | Shown | Sichtbar | Visible | 显示
rooms.drag | Drag it to its place | An seinen Platz ziehen | Arrastrar a su puesto | 拖到所需位置
rooms.top | Move {name} to the top | {name} ganz nach oben | Subir {name} al principio | 将{name}移到最前
rooms.up | Move {name} up | {name} nach oben | Subir {name} | 上移{name}
rooms.down | Move {name} down | {name} nach unten | Bajar {name} | 下移{name}
rooms.moved | {name}: place {place} of {count} | {name}: Platz {place} von {count} | {name}: puesto {place} de {count} | {name}：第{place}位，共{count}位
rooms.save | Save | Speichern | Guardar | 保存
rooms.cancel | Cancel | Abbrechen | Cancelar | 取消
rooms.optional | optional | optional | opcional | 可选
found.title | Add a device | Gerät hinzufügen | Añadir un dispositivo | 添加设备
found.preparing | Getting ready to listen… | Macht sich bereit zuzuhören … | Preparándose para escuchar… | 正在准备倾听……
found.listening | Skerry listens to everything on your broker while this is open. | Solange dieser Bereich offen ist, hört Skerry alles auf deinem Broker. | Mientras esto está abierto, Skerry escucha todo lo que pasa por tu bróker. | 打开此处时，Skerry 会监听消息代理上的一切。
found.nothingYet | Skerry listens to everything on your broker while this is open. Switch a device on: if Skerry knows it, it is listed here. | Solange dieser Bereich offen ist, hört Skerry alles auf deinem Broker. Schalte ein Gerät ein: Kennt Skerry es, steht es dann hier. | Mientras esto está abierto, Skerry escucha todo lo que pasa por tu bróker. Enciende un dispositivo: si Skerry lo conoce, aparece aquí. | 打开此处时，Skerry 会监听消息代理上的一切。启动一台设备：如果 Skerry 认识它，就会列在这里。
found.awaited | In use, and not heard yet: {names}. The card comes with the next message. | In Gebrauch, aber noch stumm: {names}. Die Karte kommt mit der nächsten Nachricht. | En uso, aún sin noticias: {names}. La tarjeta aparece con el próximo mensaje. | 已启用，尚无消息：{names}。收到下一条消息时会出现卡片。
found.silent | Listening. Nothing has been said on the broker yet. | Hört zu. Auf dem Broker wurde noch nichts gesagt. | Escuchando. Aún no se ha dicho nada en el bróker. | 正在倾听。消息代理上还没有任何消息。
found.looksLike | Looks like: {kind} | Sieht aus wie: {kind} | Parece: {kind} | 看起来像：{kind}
found.use | Use it | Nutzen | Usar | 使用
found.useNamed | Use {name} | {name} nutzen | Usar {name} | 使用 {name}
found.hide | Not this one | Dieses nicht | Este no | 不是这个
found.hideNamed | Hide {name} | {name} ausblenden | Ocultar {name} | 隐藏 {name}
found.hidden | Hidden | Ausgeblendet | Ocultos | 已隐藏
found.isHidden | {name} is hidden. | {name} ist ausgeblendet. | {name} está oculto. | {name} 已隐藏。
found.show | Show again | Wieder zeigen | Mostrar otra vez | 重新显示
found.showNamed | Show {name} again | {name} wieder zeigen | Mostrar {name} otra vez | 重新显示 {name}
found.unknown | Others that were heard | Was sonst noch spricht | Otros que se oyen | 听到的其他设备
found.unknownWhy | No definition that comes with Skerry knows these. | Keine der mitgelieferten Definitionen kennt sie. | Ninguna definición incluida en Skerry los conoce. | Skerry 自带的定义都不认识它们。
found.like | Speaks like {kind}, on a topic that begins otherwise. | Spricht wie {kind}, auf einem Topic, das anders beginnt. | Habla como {kind}, en un tema que empieza de otra forma. | 消息像 {kind}，但主题开头不同。
found.kind | What it is | Was es ist | Qué es | 它是什么
found.preview | What its card would show now | Was seine Karte jetzt zeigen würde | Lo que mostraría su tarjeta ahora | 它的卡片现在会显示的内容
found.idle | {title}. Its card appears when it begins. | {title}. Seine Karte erscheint, wenn es anfängt. | {title}. Su tarjeta aparece cuando empiece. | {title}。它开始工作时卡片就会出现。
found.unheard | Its card appears with its next message. | Seine Karte erscheint mit seiner nächsten Nachricht. | Su tarjeta aparece con su próximo mensaje. | 收到下一条消息时，它的卡片就会出现。
found.notAdmin | Only an administrator adds devices. Sign in as one. | Nur ein Administrator fügt Geräte hinzu. Melde dich als einer an. | Solo un administrador añade dispositivos. Entra como tal. | 只有管理员可以添加设备。请以管理员身份登录。
found.describe | Describe it | Beschreiben | Describir | 描述它
found.describeNamed | Describe {filter} | {filter} beschreiben | Describir {filter} | 描述 {filter}
found.describeWhy | A first text, made from the messages that were just heard. Change it as you like. | Ein erster Text aus den Nachrichten, die gerade zu hören waren. Ändere ihn, wie du magst. | Un primer texto, hecho con los mensajes que se acaban de oír. Cámbialo como quieras. | 根据刚听到的消息生成的初稿。请随意修改。
found.copyWhy | This bridge writes no definitions. Copy the text into a file in its folder of definitions, or set http.edit: true in its settings. | Diese Bridge schreibt keine Definitionen. Kopiere den Text in eine Datei in ihrem Ordner der Definitionen, oder setze http.edit: true in ihren Einstellungen. | Este puente no escribe definiciones. Copia el texto en un archivo de su carpeta de definiciones, o pon http.edit: true en su configuración. | 此网桥不写入定义。请把文本复制到其定义文件夹中的一个文件，或在其设置中启用 http.edit: true。
found.copyYourself | The browser does not copy here: select the text and copy it. | Der Browser kopiert hier nicht: Markiere den Text und kopiere ihn. | El navegador no copia aquí: selecciona el texto y cópialo. | 浏览器在此无法复制：请选中文本后自行复制。
found.copied | The text for {kind}.yaml is copied. | Der Text für {kind}.yaml ist kopiert. | El texto de {kind}.yaml está copiado. | {kind}.yaml 的文本已复制。
found.newKind | Kind, the name of its file | Art, der Name ihrer Datei | Tipo, el nombre de su archivo | 种类，即文件名
found.saved | The definition {kind} is saved. Its devices are shown from their next message on. | Die Definition {kind} ist gespeichert. Ihre Geräte erscheinen ab ihrer nächsten Nachricht. | La definición {kind} está guardada. Sus dispositivos se muestran desde su próximo mensaje. | 定义 {kind} 已保存。它的设备从下一条消息起显示。
found.used | {name} is in use: what it sends from now on is shown. | {name} wird genutzt: Gezeigt wird, was es ab jetzt sendet. | {name} está en uso: se muestra lo que envíe desde ahora. | {name} 已启用：从现在起显示它发来的内容。
found.undo | Undo | Rückgängig | Deshacer | 撤销
found.undone | It is as it was. | Alles ist wieder wie vorher. | Está como antes. | 已恢复原样。
login.title | Who is there? | Wer ist da? | ¿Quién es? | 请问是谁？
login.why | From beyond the gateway, Skerry shows nothing until you sign in. | Außerhalb des Gateways zeigt Skerry nichts, bis du dich anmeldest. | Desde fuera de la pasarela, Skerry no muestra nada hasta que entres. | 从网关以外访问时，登录之前 Skerry 不显示任何内容。
login.code | Code | Code | Código | 代码
login.where | An administrator’s browser shows a code under Settings, Browsers. On the gateway, this command shows one: | Der Browser eines Administrators zeigt unter Einstellungen, Browser einen Code. Auf dem Gateway zeigt ihn dieser Befehl: | El navegador de un administrador muestra un código en Ajustes, Navegadores. En la pasarela lo muestra esta orden: | 管理员的浏览器在“设置”的“浏览器”下显示代码。在网关上，用这个命令显示：
login.dialogWhy | Signing in applies to the whole page at once and lasts until you sign out. | Die Anmeldung gilt sofort für die ganze Seite, bis du dich abmeldest. | Vale enseguida para todas las partes de esta página, hasta que salgas. | 登录立即对此页面的所有部分生效，直到你退出登录。
login.needed | This is for an administrator. | Das ist Sache eines Administrators. | Esto es cosa de un administrador. | 这需要管理员。
login.haveToken | I have a token | Ich habe ein Token | Tengo un token | 我有令牌
login.token | Token | Token | Token | 令牌
login.nothing | Enter the code. | Gib den Code ein. | Escribe el código. | 请输入代码。
login.wrongCode | The bridge does not know this code, or not any more. | Die Bridge kennt diesen Code nicht, oder nicht mehr. | El puente no conoce este código, o ya no. | 网桥不认识这个代码，或代码已失效。
login.wrong | The bridge does not know this token. | Die Bridge kennt dieses Token nicht. | El puente no conoce este token. | 网桥不认识这个令牌。
login.wait | Too many attempts. Wait a few minutes, or have a new code made. | Zu viele Versuche. Warte einige Minuten, oder lass einen neuen Code erstellen. | Demasiados intentos. Espera unos minutos o pide un código nuevo. | 尝试次数过多。请等几分钟，或让管理员生成新代码。
login.tooLittle | You are signed in now, but not as an administrator. Enter another code. | Du bist jetzt angemeldet, aber nicht als Administrator. Gib einen anderen Code ein. | Ya has entrado, pero no como administrador. Escribe otro código. | 你已登录，但不是管理员。请输入另一个代码。
`);
