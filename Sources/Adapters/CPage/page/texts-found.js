// The words about devices that were found.
import { addTexts } from "./texts.js";

addTexts({
  en: {
    "found.title": "Add a device", "found.why": "Skerry listens to everything on your broker while this is open. Nothing is shown for a device before you use it.",
    "found.preparing": "Getting ready to listen…", "found.listening": "Listening for more…", "found.nothingYet": "Listening. A known device without a card is listed here when it speaks: switch it on.", "found.awaited": "In use, and waiting for the next message: {names}. A card comes with it.", "found.silent": "Listening. Nothing has been said on the broker yet.",
    "found.looksLike": "Looks like: {kind}", "found.use": "Use it", "found.useNamed": "Use {name}", "found.hide": "Not this one", "found.hideNamed": "Hide {name}",
    "found.hidden": "Hidden", "found.isHidden": "{name} is hidden.", "found.show": "Show again", "found.showNamed": "Show {name} again",
    "found.unknown": "Others that were heard", "found.unknownWhy": "No definition that comes with Skerry knows these.", "found.like": "Speaks like {kind}, on a topic that begins otherwise.",
    "found.kind": "What it is", "found.name": "Name", "found.preview": "What its card would show now", "found.idle": "{title}. Its card appears when it begins.", "found.unheard": "Its card appears with its next message.",
    "found.notAdmin": "Only an administrator adds devices. Sign in as one.",
    "found.describe": "Describe it", "found.describeNamed": "Describe {filter}", "found.describeWhy": "A first text, made from the messages that were just heard. Change it as you like, and save it.", "found.newKind": "Kind, the name of its file", "found.save": "Save", "found.saved": "The definition {kind} is saved. Its devices are shown from their next message on.",
    "found.cancel": "Cancel", "found.used": "{name} is in use. It is shown from its next message on.", "found.undo": "Undo", "found.undone": "It is as it was.",
  },
  de: {
    "found.title": "Gerät hinzufügen", "found.why": "Solange dieser Bereich offen ist, hört Skerry alles auf deinem Broker. Gezeigt wird nichts von einem Gerät, bevor du es nutzt.",
    "found.preparing": "Macht sich bereit zuzuhören …", "found.listening": "Hört weiter zu…", "found.nothingYet": "Hört zu. Ein bekanntes Gerät ohne Karte steht hier, sobald es sich meldet: Schalte es ein.", "found.awaited": "Genutzt, wartet auf die nächste Nachricht: {names}. Mit ihr kommt eine Karte.", "found.silent": "Hört zu. Auf dem Broker wurde noch nichts gesagt.",
    "found.looksLike": "Sieht aus wie: {kind}", "found.use": "Nutzen", "found.useNamed": "{name} nutzen", "found.hide": "Dieses nicht", "found.hideNamed": "{name} ausblenden",
    "found.hidden": "Ausgeblendet", "found.isHidden": "{name} ist ausgeblendet.", "found.show": "Wieder zeigen", "found.showNamed": "{name} wieder zeigen",
    "found.unknown": "Was sonst noch spricht", "found.unknownWhy": "Keine der mitgelieferten Definitionen kennt sie.", "found.like": "Spricht wie {kind}, auf einem Topic, das anders beginnt.",
    "found.kind": "Was es ist", "found.name": "Name", "found.preview": "Was seine Karte jetzt zeigen würde", "found.idle": "{title}. Seine Karte erscheint, wenn es anfängt.", "found.unheard": "Seine Karte erscheint mit seiner nächsten Nachricht.",
    "found.notAdmin": "Nur ein Administrator fügt Geräte hinzu. Melde dich als einer an.",
    "found.describe": "Beschreiben", "found.describeNamed": "{filter} beschreiben", "found.describeWhy": "Ein erster Text aus den Nachrichten, die gerade zu hören waren. Ändere ihn, wie du magst, und speichere ihn.", "found.newKind": "Art, der Name ihrer Datei", "found.save": "Speichern", "found.saved": "Die Definition {kind} ist gespeichert. Ihre Geräte erscheinen ab ihrer nächsten Nachricht.",
    "found.cancel": "Abbrechen", "found.used": "{name} wird genutzt und ab der nächsten Nachricht gezeigt.", "found.undo": "Rückgängig", "found.undone": "Alles ist wieder wie vorher.",
  },
  es: {
    "found.title": "Añadir un dispositivo", "found.why": "Mientras esto está abierto, Skerry escucha todo lo que pasa por tu bróker. No se muestra nada de un dispositivo antes de que lo uses.",
    "found.preparing": "Preparándose para escuchar…", "found.listening": "Sigue escuchando…", "found.nothingYet": "Escuchando. Un dispositivo conocido sin tarjeta aparece aquí cuando habla: enciéndelo.", "found.awaited": "En uso, a la espera del próximo mensaje: {names}. Con él aparece una tarjeta.", "found.silent": "Escuchando. Aún no se ha dicho nada en el bróker.",
    "found.looksLike": "Parece: {kind}", "found.use": "Usar", "found.useNamed": "Usar {name}", "found.hide": "Este no", "found.hideNamed": "Ocultar {name}",
    "found.hidden": "Ocultos", "found.isHidden": "{name} está oculto.", "found.show": "Mostrar otra vez", "found.showNamed": "Mostrar {name} otra vez",
    "found.unknown": "Otros que se oyen", "found.unknownWhy": "Ninguna definición incluida en Skerry los conoce.", "found.like": "Habla como {kind}, en un tema que empieza de otra forma.",
    "found.kind": "Qué es", "found.name": "Nombre", "found.preview": "Lo que mostraría su tarjeta ahora", "found.idle": "{title}. Su tarjeta aparece cuando empiece.", "found.unheard": "Su tarjeta aparece con su próximo mensaje.",
    "found.notAdmin": "Solo un administrador añade dispositivos. Entra como tal.",
    "found.describe": "Describir", "found.describeNamed": "Describir {filter}", "found.describeWhy": "Un primer texto, hecho con los mensajes que se acaban de oír. Cámbialo como quieras y guárdalo.", "found.newKind": "Tipo, el nombre de su archivo", "found.save": "Guardar", "found.saved": "La definición {kind} está guardada. Sus dispositivos se muestran desde su próximo mensaje.",
    "found.cancel": "Cancelar", "found.used": "{name} está en uso. Se muestra desde su próximo mensaje.", "found.undo": "Deshacer", "found.undone": "Está como antes.",
  },
  zh: {
    "found.title": "添加设备", "found.why": "打开此处时，Skerry 会监听消息代理上的一切。在你使用某台设备之前，不会显示它的任何内容。",
    "found.preparing": "正在准备倾听……", "found.listening": "继续倾听……", "found.nothingYet": "正在倾听。已知但没有卡片的设备一发来消息就会列在这里：启动它吧。", "found.awaited": "已启用，正在等待下一条消息：{names}。届时会出现卡片。", "found.silent": "正在倾听。消息代理上还没有任何消息。",
    "found.looksLike": "看起来像：{kind}", "found.use": "使用", "found.useNamed": "使用 {name}", "found.hide": "不是这个", "found.hideNamed": "隐藏 {name}",
    "found.hidden": "已隐藏", "found.isHidden": "{name} 已隐藏。", "found.show": "重新显示", "found.showNamed": "重新显示 {name}",
    "found.unknown": "听到的其他设备", "found.unknownWhy": "Skerry 自带的定义都不认识它们。", "found.like": "消息像 {kind}，但主题开头不同。",
    "found.kind": "它是什么", "found.name": "名称", "found.preview": "它的卡片现在会显示的内容", "found.idle": "{title}。它开始工作时卡片就会出现。", "found.unheard": "收到下一条消息时，它的卡片就会出现。",
    "found.notAdmin": "只有管理员可以添加设备。请以管理员身份登录。",
    "found.describe": "描述它", "found.describeNamed": "描述 {filter}", "found.describeWhy": "根据刚听到的消息生成的初稿。请随意修改，然后保存。", "found.newKind": "种类，即文件名", "found.save": "保存", "found.saved": "定义 {kind} 已保存。它的设备从下一条消息起显示。",
    "found.cancel": "取消", "found.used": "{name} 已启用，从下一条消息起显示。", "found.undo": "撤销", "found.undone": "已恢复原样。",
  },
});
