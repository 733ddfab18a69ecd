/** What waits, in an order that is fair between those who gave it. */
export class FairQueue<Item> {
  /** By who gave it; the first of the map is next. */
  readonly #waiting = new Map<string, Item[]>()

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  add(giver: string, item: Item): void {
    const queue = this.#waiting.get(giver)
    if (queue === undefined) this.#waiting.set(giver, [item])
    else queue.push(item)
  }

  /** The next item. One of each giver is taken in each round, however many wait behind it. */
  take(): Item | undefined {
    const [giver, queue] = this.#waiting.entries().next().value ?? []
    if (giver === undefined || queue === undefined) return undefined
    const item = queue.shift()
    this.#waiting.delete(giver)
    if (queue.length > 0) this.#waiting.set(giver, queue)
    return item
  }

  /** Takes an item out of the middle; false when it is not waiting. */
  remove(giver: string, item: Item): boolean {
    const queue = this.#waiting.get(giver)
    const place = queue?.indexOf(item) ?? -1
    if (queue === undefined || place < 0) return false
    queue.splice(place, 1)
    if (queue.length === 0) this.#waiting.delete(giver)
    return true
  }
}
