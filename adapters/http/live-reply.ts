import { z } from 'zod'

/** One item of a reply that does not end by itself, under the id after which a client goes on. */
export interface LiveItem<Item> {
  readonly id: string
  readonly item: Item
}

/** The items of a reply that are written as they come, as server-sent events, until `signal` aborts. */
export class LiveReply<Item> {
  readonly open: (signal: AbortSignal) => AsyncIterable<LiveItem<Item>>

  constructor(open: (signal: AbortSignal) => AsyncIterable<LiveItem<Item>>) {
    this.open = open
  }
}

/** The schema of the items whose handler gives a `LiveReply`. */
export type LiveItems<Item extends z.ZodType> = z.ZodArray<Item> & { readonly isLive: true }

/** Declares a reply of server-sent events with these as their data. */
export function liveItems<Item extends z.ZodType>(item: Item): LiveItems<Item> {
  return Object.assign(z.array(item), { isLive: true } as const)
}
