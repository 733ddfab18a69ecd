/** Work that waits, fair between organizations, and within each between its end users. */

/** Whose work it is. */
export interface Owner {
  readonly organizationId: string
  readonly externalUserId: string
}

export class FairQueue<T extends Owner> {
  /** By organization and end user; whoever was served longest ago comes first. */
  readonly #waiting = new Map<string, Map<string, T[]>>()

  add(work: T): void {
    const { organizationId, externalUserId } = work
    const users = this.#waiting.get(organizationId) ?? new Map<string, T[]>()
    this.#waiting.set(organizationId, users)
    const queue = users.get(externalUserId)
    if (queue === undefined) users.set(externalUserId, [work])
    else queue.push(work)
  }

  remove(work: T): void {
    const queue = this.#waiting.get(work.organizationId)?.get(work.externalUserId)
    const place = queue?.indexOf(work) ?? -1
    if (queue === undefined || place < 0) return
    queue.splice(place, 1)
    this.#tidy(work)
  }

  /** The next: of the organization with the least work under way, there of such an end user; of several, who waits longest. */
  take(underWay: readonly Owner[]): T | undefined {
    const organizationId = least(this.#waiting.keys(), (one) =>
      count(underWay, (owner) => owner.organizationId === one),
    )
    if (organizationId === undefined) return undefined
    const users = this.#waiting.get(organizationId)!
    const own = underWay.filter((owner) => owner.organizationId === organizationId)
    const user = least(users.keys(), (one) => count(own, (owner) => owner.externalUserId === one))!
    const queue = users.get(user)!
    const work = queue.shift()!
    // Put at the end, behind everybody who waits.
    users.delete(user)
    users.set(user, queue)
    this.#waiting.delete(organizationId)
    this.#waiting.set(organizationId, users)
    this.#tidy(work)
    return work
  }

  #tidy({ organizationId, externalUserId }: Owner): void {
    const users = this.#waiting.get(organizationId)!
    if (users.get(externalUserId)!.length === 0) users.delete(externalUserId)
    if (users.size === 0) this.#waiting.delete(organizationId)
  }
}

/** The first with the smallest number; nothing is smaller than 0. */
function least(names: Iterable<string>, number: (name: string) => number): string | undefined {
  let best: string | undefined
  let smallest = Number.POSITIVE_INFINITY
  for (const name of names) {
    const own = number(name)
    if (own >= smallest) continue
    best = name
    smallest = own
    if (own === 0) break
  }
  return best
}

const count = (owners: readonly Owner[], is: (owner: Owner) => boolean): number => owners.filter(is).length
