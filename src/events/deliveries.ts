/** Sends events to webhooks: each at least once, those of one connector in their order. */
import { randomUUID } from 'node:crypto'
import type { Engine } from '../engine/engine.ts'
import { TransportFault } from '../engine/http/transport-fault.ts'
import { ConexError } from '../errors.ts'
import type { Log } from '../log.ts'
import { Semaphore } from '../semaphore.ts'
import type { Store } from '../store/store.ts'
import type { Attempt, Delivery, HeldWebhook, Next } from '../store/webhooks.ts'
import { eventRecord } from './event-record.ts'
import { signedHeaders, type WebhookSecrets } from './signature.ts'

export interface DeliveriesOptions {
  readonly store: Pick<Store, 'webhooks'>
  readonly engine: Pick<Engine, 'post'>
  readonly secretsOf: (webhook: HeldWebhook) => WebhookSecrets
  /** How long a receiver may take to answer. */
  readonly attemptMs: number
  /** If a node is silent for this long, other nodes take over its webhooks. */
  readonly leaseMs: number
  readonly now: () => number
  /** A number from 0 up to 1. */
  readonly random: () => number
  readonly log: Log
}

const firstPauseMs = 5_000
const longestPauseMs = 6 * 3_600_000
/** An event that could not be delivered for so long is given up, and a webhook without any success in that time disabled. */
const givenUpAfterMs = 3 * 24 * 3_600_000
const webhooksAtOnce = 32
/** Lanes of one webhook at the same time; one that fails gets a single attempt. */
const lanesAtOnce = 8
const eventsAtOnce = 100

export class Deliveries {
  readonly #options: DeliveriesOptions
  readonly #running = new Map<string, Promise<void>>()
  readonly #closing = new AbortController()

  constructor(options: DeliveriesOptions) {
    this.#options = options
  }

  /** Starts what is due on this node. */
  async look(): Promise<void> {
    if (this.#closing.signal.aborted || this.#running.size >= webhooksAtOnce) return
    const { store, now, leaseMs, log } = this.#options
    const until = iso(now() + leaseMs)
    for (const id of await store.webhooks.due(iso(now()), until, webhooksAtOnce))
      if (!this.#running.has(id) && this.#running.size < webhooksAtOnce && !this.#closing.signal.aborted)
        this.#running.set(
          id,
          this.#deliverFor(id)
            .catch((error: unknown) => log.error({ webhook_id: id, reason: String(error) }, 'a webhook failed'))
            .finally(() => this.#running.delete(id)),
        )
  }

  /** Waits until nothing is being sent. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  /** Cuts what is being sent; the next start sends it again. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.settled()
  }

  async #deliverFor(id: string): Promise<void> {
    const { store, now, leaseMs } = this.#options
    const webhook = await store.webhooks.take(id, randomUUID(), iso(now()), iso(now() + leaseMs))
    if (webhook === null) return
    const lost = new AbortController()
    const renewal = setInterval(() => {
      store.webhooks.renew(webhook, iso(now() + leaseMs)).then(
        (held) => held || lost.abort(),
        // The next renewal makes up for this one.
        () => {},
      )
    }, leaseMs / 4).unref()
    try {
      const ended = AbortSignal.any([lost.signal, this.#closing.signal])
      while (await this.#deliverSome(webhook, ended));
    } finally {
      clearInterval(renewal)
      await store.webhooks.release(webhook)
    }
  }

  /** Gives whether there may be more to send at once. */
  async #deliverSome(held: HeldWebhook, ended: AbortSignal): Promise<boolean> {
    const { store, now } = this.#options
    const webhook = await store.webhooks.enqueue(held, eventsAtOnce, iso(now()))
    if (webhook === null) return false
    const waiting = await store.webhooks.waiting(webhook, eventsAtOnce, iso(now()))
    const lanes = Map.groupBy(waiting, ({ lane }) => lane)
    const room = new Semaphore(webhook.failingSince === null ? lanesAtOnce : 1)
    let failed = false
    const deliverLane = async (lane: readonly Delivery[]): Promise<void> => {
      for (const delivery of lane) {
        // While nothing gets through, each round tries once.
        if (ended.aborted || (failed && webhook.failingSince !== null)) return
        if (await this.#deliver(webhook, delivery, ended)) continue
        failed = true
        return
      }
    }
    await Promise.all(lanes.values().map((lane) => room.run('', () => deliverLane(lane))))
    return waiting.length > 0 && !failed && !ended.aborted
  }

  /** Gives whether the event was delivered. */
  async #deliver(webhook: HeldWebhook, delivery: Delivery, ended: AbortSignal): Promise<boolean> {
    const { store, now, log } = this.#options
    const { answered, fault } = await this.#send(webhook, delivery, ended)
    if (fault === null) {
      await store.webhooks.delivered(webhook, delivery, answered!, iso(now()))
      return true
    }
    if (ended.aborted) return false
    const { id: webhook_id, organizationId: organization_id } = webhook
    const about = { webhook_id, organization_id, event_id: delivery.event.id, status: answered, fault }
    log.warn(about, 'an event could not be delivered')
    await store.webhooks.failed(webhook, delivery, { answered, fault }, this.#next(delivery), iso(now()))
    return false
  }

  async #send(webhook: HeldWebhook, { event }: Delivery, ended: AbortSignal): Promise<Attempt> {
    const { engine, secretsOf, attemptMs, now, log } = this.#options
    const body = JSON.stringify(eventRecord(event))
    const late = AbortSignal.timeout(attemptMs)
    try {
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Conex',
        ...signedHeaders(event.id, body, secretsOf(webhook), now()),
      }
      const signal = AbortSignal.any([ended, late])
      const answered = await engine.post({ url: new URL(webhook.url), headers, body, signal })
      return { answered, fault: faultOf(answered) }
    } catch (error) {
      if (!(error instanceof TransportFault || error instanceof ConexError || late.aborted || ended.aborted))
        log.error({ webhook_id: webhook.id, reason: String(error) }, 'an event could not be prepared for a webhook')
      return {
        answered: null,
        fault: late.aborted ? `It did not answer in ${attemptMs / 1000} seconds.` : reasonOf(error),
      }
    }
  }

  #next({ attempts, since }: Delivery): Next {
    const { now, random } = this.#options
    const giveUp = now() - givenUpAfterMs
    if (Date.parse(since) <= giveUp) return { parked: true, disableIfFailingSince: iso(giveUp) }
    const pause = Math.min(firstPauseMs * 4 ** attempts, longestPauseMs)
    return { dueAt: iso(now() + pause * (0.8 + 0.4 * random())) }
  }
}

function faultOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `It redirected (${status}); register the address that takes events itself.`
  return `It answered ${status}.`
}

/** What went wrong, without anything that the receiver said. */
function reasonOf(error: unknown): string {
  if (error instanceof TransportFault) return `No answer: ${error.message}.`
  if (error instanceof ConexError) return 'Its address is not public, or not https.'
  return 'It could not be sent.'
}

const iso = (moment: number): string => new Date(moment).toISOString()
