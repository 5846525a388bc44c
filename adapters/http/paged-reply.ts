import { z } from 'zod'

/** The items of a reply that is written as it is read: one page after another is read, written and forgotten. */
export class PagedReply<Item> {
  readonly pages: AsyncIterable<readonly Item[]>

  constructor(pages: AsyncIterable<readonly Item[]>) {
    this.pages = pages
  }
}

/** The schema of an array whose handler gives a `PagedReply`. */
export type PagedArray<Item extends z.ZodType> = z.ZodArray<Item> & { readonly isPaged: true }

/** Declares a reply with an array of these, written as it is read. For lists without a limit. */
export function pagedArray<Item extends z.ZodType>(item: Item): PagedArray<Item> {
  return Object.assign(z.array(item), { isPaged: true } as const)
}
