import { writeFileSync } from 'node:fs';
import { type HierarchyRectangularNode, hierarchy, treemap } from 'd3-hierarchy';
import type { Plugin } from 'vite';

const WIDTH = 1600;
const HEIGHT = 1000;
/** Smaller rectangles get no label. */
const LABEL_WIDTH = 60;
const LABEL_HEIGHT = 14;

type Part = { readonly name: string; readonly bytes?: number; readonly children?: Part[] };

/**
 * Draws a treemap of the build into `file`, for `npm run build -- --report`: the scripts, in them the packages and folders,
 * in these the modules. An area is a module's size before it is minified.
 */
export function reportPlugin(file: string): Plugin {
  return {
    name: 'jangada-report',
    apply: 'build',
    generateBundle(_options, bundle) {
      const scripts = Object.values(bundle).flatMap((chunk): Part[] => {
        if (chunk.type !== 'chunk') return [];
        const groups = new Map<string, Part[]>();
        for (const [id, { renderedLength }] of Object.entries(chunk.modules)) {
          const group = groupOf(id);
          groups.set(group, [...(groups.get(group) ?? []), { name: nameOf(id), bytes: renderedLength }]);
        }
        const children = [...groups].map(([name, modules]) => ({ name, children: modules }));
        return [{ name: chunk.fileName, children }];
      });
      writeFileSync(file, pageOf({ name: 'build', children: scripts }));
    },
  };
}

const nameOf = (id: string) => id.replace(/^.*\/node_modules\/|^.*\/(?=(?:web|contract|pix)\/)/, '');

/** The package of a module, or the first two folders of one of ours. */
function groupOf(id: string): string {
  const segments = nameOf(id).split('/');
  if (id.includes('/node_modules/')) return segments.slice(0, segments[0]?.startsWith('@') ? 2 : 1).join('/');
  return segments.slice(0, Math.min(3, segments.length - 1)).join('/');
}

function pageOf(build: Part): string {
  const root = hierarchy(build)
    .sum(({ bytes }) => bytes ?? 0)
    .sort((left, right) => (right.value ?? 0) - (left.value ?? 0));
  const drawn = treemap<Part>().size([WIDTH, HEIGHT]).paddingTop(LABEL_HEIGHT).paddingInner(1)(root);
  return `<!doctype html>
<meta charset="utf-8">
<title>Build</title>
<style>
body { margin: 0; font: 11px system-ui }
div { position: absolute; box-sizing: border-box; overflow: hidden; white-space: nowrap; border: 1px solid #fff }
</style>
${drawn.descendants().map(rectangleOf).join('\n')}
`;
}

const colours = ['#fff', '#9fb8c8', '#c3d3dd', '#e3ebf0'];

function rectangleOf({ x0, x1, y0, y1, depth, value, data }: HierarchyRectangularNode<Part>): string {
  const [width, height] = [x1 - x0, y1 - y0];
  const title = `${data.name} ${Math.round((value ?? 0) / 100) / 10} kB`;
  const label = width < LABEL_WIDTH || height < LABEL_HEIGHT ? '' : title;
  const style = `left:${x0}px;top:${y0}px;width:${width}px;height:${height}px;background:${colours[depth]}`;
  return `<div style="${style}" title="${title}">${label}</div>`;
}
