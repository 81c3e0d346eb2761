/** An entry of the queue: something that is due at a time, by its name. */
interface Due {
  readonly dueAt: number;
  readonly name: string;
  /** Orders what is due at the same time by when it was added. */
  readonly number: number;
}

/**
 * What is due, earliest first, as a binary heap. Something may be added again with another time: whoever takes it must
 * look whether it is still due then.
 */
export class DueQueue {
  readonly #heap: Due[] = [];
  #count = 0;

  add(name: string, dueAt: number): void {
    this.#count += 1;
    let index = this.#heap.push({ dueAt, name, number: this.#count }) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(index, parent)) break;
      this.#swap(index, parent);
      index = parent;
    }
  }

  get first(): Due | undefined {
    return this.#heap[0];
  }

  takeFirst(): Due | undefined {
    const [first] = this.#heap;
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return first;
    this.#heap[0] = last;
    this.#sink();
    return first;
  }

  #sink(): void {
    let index = 0;
    for (;;) {
      let least = index;
      for (const child of [2 * index + 1, 2 * index + 2]) if (this.#isBefore(child, least)) least = child;
      if (least === index) return;
      this.#swap(index, least);
      index = least;
    }
  }

  #isBefore(index: number, other: number): boolean {
    const a = this.#heap[index];
    const b = this.#heap[other];
    if (a === undefined || b === undefined) return false;
    return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.number < b.number);
  }

  #swap(index: number, other: number): void {
    const a = this.#heap[index];
    const b = this.#heap[other];
    if (a === undefined || b === undefined) return;
    this.#heap[index] = b;
    this.#heap[other] = a;
  }
}
