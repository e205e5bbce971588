// The words of the phone.
import { addLines } from "./texts.js";

addLines(`
phone.title | The phone | Das Telefon | El teléfono | 手机
phone.lead | As an iPhone and a watch show it, drawn from the island of each definition. | So zeigen es ein iPhone und eine Uhr, gezeichnet nach der Island jeder Definition. | Tal como lo muestran un iPhone y un reloj, dibujado a partir de la isla de cada definición. | 按每个定义的灵动岛绘制，与 iPhone 和手表上显示的一样。
phone.inUse | In use | In Benutzung | En uso | 使用中
phone.lock | Lock Screen | Sperrbildschirm | Pantalla bloqueada | 锁定屏幕
phone.standby | StandBy | StandBy | En reposo | 待机显示
phone.watch | Watch | Uhr | Reloj | 手表
phone.others | Also shown on | Auch zu sehen auf | También se ve en | 也显示在
phone.hint | Press and hold the island to open it. A tap goes to the device. | Halte die Island gedrückt, um sie zu öffnen. Ein Tippen führt zum Gerät. | Mantén pulsada la isla para abrirla. Un toque lleva al dispositivo. | 按住灵动岛可将其展开，轻点则进入设备页面。
phone.expand | Open the island | Island öffnen | Abrir la isla | 展开灵动岛
phone.collapse | Close the island | Island schließen | Cerrar la isla | 收起灵动岛
phone.alert | Show an alert | Hinweis zeigen | Mostrar un aviso | 显示提醒
phone.wallpaper | Wallpaper | Hintergrund | Fondo | 墙纸
phone.islandLabel | Dynamic Island: {what} | Dynamic Island: {what} | Dynamic Island: {what} | 灵动岛：{what}
phone.islandEmpty | Dynamic Island, empty | Dynamic Island, leer | Dynamic Island, vacía | 灵动岛，空
phone.until | until {time} | bis {time} | hasta las {time} | 到 {time}
phone.since | since {time} | seit {time} | desde las {time} | 从 {time} 起
phone.pausedLeft | paused, {time} left | angehalten, noch {time} | en pausa, a falta de {time} | 已暂停，还剩 {time}
phone.waits | the time is over, waiting for news | die Zeit ist um, die nächste Meldung steht aus | el tiempo ha terminado, a la espera de noticias | 时间已到，等待新消息
phone.outdated | may be out of date | vielleicht veraltet | quizá no esté al día | 可能已过时
phone.heard | Heard {ago} | Gehört {ago} | Último mensaje {ago} | {ago}收到消息
phone.ended | ended | beendet | terminado | 已结束
phone.where | Which one is seen where | Was wo zu sehen ist | Qué se ve y dónde | 各自显示在哪里
phone.whereAttached | In the island, at the camera | In der Island, an der Kamera | En la isla, junto a la cámara | 在灵动岛中，紧靠摄像头
phone.whereDetached | In the island, as a circle of its own | In der Island, als eigener Kreis | En la isla, como círculo aparte | 在灵动岛中，单独的圆形
phone.whereAlone | In the island | In der Island | En la isla | 在灵动岛中
phone.whereLock | On the Lock Screen only | Nur auf dem Sperrbildschirm | Solo en la pantalla bloqueada | 仅在锁定屏幕上
phone.whyOnly | Nothing else is running. | Sonst läuft nichts. | No hay nada más en marcha. | 没有其他正在进行的活动。
phone.whyLast | The island has room for two. | Die Island hat Platz für zwei. | En la isla caben dos. | 灵动岛可容纳两个活动。
phone.whyRelevance | Relevance {relevance} comes before {next}. | Relevanz {relevance} kommt vor {next}. | La relevancia {relevance} va antes que {next}. | 相关度 {relevance} 高于 {next}。
phone.whyStart | Relevance {relevance} like the next one, and it started first. | Relevanz {relevance} wie beim nächsten, aber früher begonnen. | Relevancia {relevance}, igual que el siguiente, pero empezó antes. | 相关度 {relevance} 与下一个相同，但开始得更早。
phone.whyFull | Two others come first: greater relevance, or an earlier start. Its relevance is {relevance}. | Zwei andere kommen zuerst: höhere Relevanz oder früher begonnen. Die Relevanz ist hier {relevance}. | Otros dos van antes: más relevancia o un comienzo anterior. Su relevancia es {relevance}. | 另外两个排在前面：相关度更高，或开始得更早。它的相关度为 {relevance}。
phone.whyEnded | It has ended, so it left the island. Its card stays until it is dismissed. | Beendet und deshalb nicht mehr in der Island. Die Karte bleibt, bis sie entfernt wird. | Ha terminado y por eso salió de la isla. Su tarjeta queda hasta que se descarte. | 已结束，因此离开了灵动岛。卡片会保留到被移除为止。
phone.sample | Sample | Beispiel | Ejemplo | 示例
phone.sampleLead | Nothing is running now. These are samples with made-up values, one for each definition: choose which of them run. | Gerade läuft nichts. Das sind Beispiele mit erfundenen Werten, eins für jede Definition: Wähle, welche laufen. | Ahora no hay nada en marcha. Estos son ejemplos con valores inventados, uno por definición: elige cuáles están en marcha. | 现在没有正在进行的活动。以下是每个定义的示例，数值为虚构：请选择让哪些示例运行。
phone.nothing | Nothing that is in use has an island yet. Add a device under “Now”, and its island is drawn here. | Noch hat nichts, was in Gebrauch ist, eine Island. Füge unter „Jetzt“ ein Gerät hinzu, dann wird seine Island hier gezeichnet. | Nada de lo que se usa tiene isla todavía. Añade un dispositivo en «Ahora» y su isla se dibujará aquí. | 正在使用的设备都还没有灵动岛。在“现在”中添加一台设备，它的灵动岛就会显示在这里。
phone.failed | The definitions can't be read: {why} | Die Definitionen lassen sich nicht lesen: {why} | No se pueden leer las definiciones: {why} | 无法读取定义：{why}
phone.nothingShown | No Live Activities | Keine Live-Aktivitäten | Sin actividades en vivo | 没有实时活动
phone.alerted | Alert: {what} | Hinweis: {what} | Aviso: {what} | 提醒：{what}
phone.watchAlone | A watch shows both sides of the compact island as a card of its Smart Stack. | Eine Uhr zeigt beide Seiten der kompakten Island als Karte im Smart-Stapel. | Un reloj muestra los dos lados de la isla compacta como tarjeta de su grupo inteligente. | 手表会把紧凑灵动岛的两侧显示为智能叠放中的一张卡片。
phone.standbyNote | StandBy shows the card of the Lock Screen at twice its size. The circles above choose another one. | StandBy zeigt die Karte des Sperrbildschirms doppelt so groß. Die Kreise darüber wählen eine andere. | En reposo se ve la tarjeta de la pantalla bloqueada al doble de tamaño. Los círculos de arriba eligen otra. | 待机显示会以两倍大小显示锁定屏幕的卡片。上方的圆形可切换到其他卡片。
phone.lockNote | The greatest relevance is at the top. iOS cuts a card at {height} points. | Die höchste Relevanz steht oben. iOS schneidet Karten bei {height} Punkten ab. | Arriba va la mayor relevancia. iOS corta las tarjetas a {height} puntos. | 相关度最高的在最上面。iOS 会在 {height} 点高度处截断卡片。
phone.choose | Show {what} | {what} zeigen | Mostrar {what} | 显示 {what}
`);
