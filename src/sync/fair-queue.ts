/** Waiting work, fair between organizations and, within each, between its end users. */

export interface Owner {
  readonly organizationId: string
  readonly externalUserId: string
}

export class FairQueue<T extends Owner> {
  /** The owners that have waited longest come first. */
  #waiting: T[] = []

  add(work: T): void {
    this.#waiting.push(work)
  }

  /** False if the work is not waiting. */
  remove(work: T): boolean {
    const waited = this.#waiting.includes(work)
    this.#waiting = this.#waiting.filter((one) => one !== work)
    return waited
  }

  /** The next work: from the organization with the least running work, and there from the end user with the least. */
  take(underWay: readonly Owner[]): T | undefined {
    const organization = leastBusy(this.#waiting, underWay, 'organizationId')?.organizationId
    const isOwn = (one: Owner) => one.organizationId === organization
    const own = this.#waiting.filter(isOwn)
    const next = leastBusy(own, underWay.filter(isOwn), 'externalUserId')
    // The organization goes to the end of all, and the end user to the end of the organization.
    const isServed = (one: T) => one.externalUserId === next?.externalUserId
    const served = own.filter((one) => isServed(one) && one !== next)
    this.#waiting = [...this.#waiting.filter((one) => !isOwn(one)), ...own.filter((one) => !isServed(one)), ...served]
    return next
  }
}

/** The first work whose owner has the least running work. */
function leastBusy<T extends Owner>(waiting: readonly T[], underWay: readonly Owner[], by: keyof Owner): T | undefined {
  const busy = Map.groupBy(underWay, (owner) => owner[by])
  const load = (one: T): number => busy.get(one[by])?.length ?? 0
  let least: T | undefined
  for (const one of waiting) if (least === undefined || load(one) < load(least)) least = one
  return least
}
