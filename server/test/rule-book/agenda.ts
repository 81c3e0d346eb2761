interface Entry {
  readonly at: number;
  readonly order: number;
  readonly act: () => void;
}

/** What is to happen, by moment; at the same moment, in the order in which it was put down. A binary heap. */
export class Agenda {
  private readonly heap: Entry[] = [];
  private count = 0;

  add(at: number, act: () => void): void {
    const entry = { at, order: this.count++, act };
    const { heap } = this;
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || isBefore(above, entry)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  nextMoment(): number | null {
    return this.heap[0]?.at ?? null;
  }

  take(): Entry | undefined {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const [a, b] = [heap[left], heap[left + 1]];
      if (a === undefined) break;
      const [child, childAt] = b !== undefined && isBefore(b, a) ? [b, left + 1] : [a, left];
      if (isBefore(last, child)) break;
      heap[index] = child;
      index = childAt;
    }
    heap[index] = last;
    return first;
  }
}

const isBefore = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order);
