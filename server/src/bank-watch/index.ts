export { closeItem, type ItemEnd, type NewOpenItem, type OpenItemKind, openItem } from './open-item.ts';
