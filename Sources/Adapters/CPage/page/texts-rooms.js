// The words about many devices: search, rooms, order. As in texts-views.js.
import { addLines } from "./texts.js";

addLines(`
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
`);
