import { chance } from '../load-random.ts'
import { deliveryOf, frameBytes, natsFrames, renumbered, type NatsFrame } from './nats-frames.ts'
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.ts'

/** What happens to the messages that JetStream delivers. */
export type DeliveryFault =
  | { readonly kind: 'none' }
  /** This percentage of them is lost. */
  | { readonly kind: 'lose'; readonly percent: number }
  /** Each is delivered twice. */
  | { readonly kind: 'repeat' }
  /** This percentage of neighbouring pairs is swapped. */
  | { readonly kind: 'swap'; readonly percent: number }

/** A proxy between NATS clients and their server, which can lose, repeat and swap JetStream messages. */
export interface NatsProxy extends Pick<TcpProxy, 'connections' | 'reset' | 'close'> {
  readonly url: string
  /** What it has done so far. */
  readonly counts: Readonly<DeliveryCounts>
  /**
   * Sets the fault from now on. `isTraceless`: deliveries are renumbered, so that the client library, which notices gaps in the
   * numbers and requests the rest again, sees nothing wrong. Only the content of the messages can reveal the fault.
   */
  fault(fault: DeliveryFault, options?: { readonly isTraceless?: boolean }): void
}

export interface DeliveryCounts {
  delivered: number
  lost: number
  repeated: number
  swapped: number
}

/** How many messages were lost, came twice or in another order. */
export function spoiledIn({ lost, repeated, swapped }: DeliveryCounts): number {
  return lost + repeated + swapped
}

interface Spoiling {
  fault: DeliveryFault
  isTraceless: boolean
}

/** The longest time that the first of a pair waits for the second. */
const swap_ms_max = 10

/** `target` is the server's port on the loopback address. */
export async function startNatsProxy(target: number, seed: number): Promise<NatsProxy> {
  const random = chance(seed)
  const counts: DeliveryCounts = { delivered: 0, lost: 0, repeated: 0, swapped: 0 }
  const spoiling: Spoiling = { fault: { kind: 'none' }, isTraceless: false }
  const proxy = await startTcpProxy({
    target,
    fromServer: (send) => {
      const number = numbering(() => spoiling.isTraceless)
      const spoil = spoiler(spoiling, counts, random.next, (frame) => send(frameBytes(number(frame))))
      return natsFrames(spoil)
    },
  })
  return {
    url: `nats://127.0.0.1:${proxy.port}`,
    counts,
    get connections() {
      return proxy.connections
    },
    reset: () => proxy.reset(),
    close: () => proxy.close(),
    fault(fault, { isTraceless = false } = {}) {
      Object.assign(spoiling, { fault, isTraceless })
    },
  }
}

/** Drops, repeats and swaps the messages of one connection. Everything else passes unchanged. */
function spoiler(
  spoiling: Spoiling,
  counts: DeliveryCounts,
  random: () => number,
  send: (frame: NatsFrame) => void,
): (frame: NatsFrame) => void {
  let held: NatsFrame | undefined
  let patience: NodeJS.Timeout | undefined

  function release(): void {
    clearTimeout(patience)
    const frame = held
    held = undefined
    if (frame) send(frame)
  }

  function swap(frame: NatsFrame): void {
    if (!held) {
      held = frame
      patience = setTimeout(release, swap_ms_max)
      return
    }
    counts.swapped += 1
    send(frame)
    release()
  }

  return (frame) => {
    const { fault } = spoiling
    const isMessage = deliveryOf(frame)?.kind === 'message'
    if (isMessage) counts.delivered += 1
    if (isMessage && fault.kind === 'swap' && (held || random() * 100 < fault.percent)) return swap(frame)
    release()
    if (isMessage && fault.kind === 'lose' && random() * 100 < fault.percent) {
      counts.lost += 1
      return
    }
    send(frame)
    if (!isMessage || fault.kind !== 'repeat') return
    counts.repeated += 1
    send(frame)
  }
}

/** If enabled, renumbers the messages to each consumer of one connection without gaps. */
function numbering(isOn: () => boolean): (frame: NatsFrame) => NatsFrame {
  const sent = new Map<string, { readonly consumer: string; sequence: number }>()
  return (frame) => {
    const delivery = deliveryOf(frame)
    if (!delivery) return frame
    const { kind, sid, consumer, sequence } = delivery
    const known = sent.get(sid)
    if (kind === 'heartbeat') return known && isOn() ? renumbered(frame, known.sequence) : frame
    const next = known?.consumer === consumer ? known : { consumer, sequence: 0 }
    sent.set(sid, next)
    next.sequence = isOn() ? next.sequence + 1 : sequence
    return isOn() ? renumbered(frame, next.sequence) : frame
  }
}
