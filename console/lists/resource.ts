import type { GetListParams, GetListResult, Identifier, RaRecord } from 'react-admin'
import type { OperationId } from '../api/operations.ts'

/** How React-admin reads one kind of thing from the Admin API. What changes things are acts (../acts), not this. */
export interface Resource {
  /** A page of a list, by the filters that the view has. With `total`, or with whether there is a next page. */
  readonly list: (asked: ListAsked) => Promise<GetListResult>
  /** The operation that gives a page, where it passes over a bounded number of things: what lies deeper has no page. */
  readonly pagedBy?: OperationId
  readonly one?: (id: string) => Promise<RaRecord | null>
  /** Those of some ids that there are. If absent, each is read by itself. */
  readonly many?: (ids: readonly string[]) => Promise<RaRecord[]>
}

export interface ListAsked {
  readonly filter: Readonly<Record<string, unknown>>
  readonly limit: number
  readonly offset: number
  /** The number of the page, from 1 on. */
  readonly page: number
  readonly sort: { readonly by: string | undefined; readonly order: 'asc' | 'desc' }
  /** What the page after the one before this begins at, for lists with cursors. Null for the first page. */
  readonly cursor: string | null
  /** Says what the page after this one begins at. */
  readonly goesOnAt: (cursor: string | null) => void
}

const cursors = new Map<string, (string | null)[]>()

/**
 * What a view asks of a list, as resources are asked. Lists with cursors go on where the page before ended; a page whose predecessor
 * was not read, as by a shared address, is not known, and the first one is shown.
 */
export function askedOf(resource: string, { pagination, sort, filter, meta }: GetListParams): ListAsked {
  const { page = 1, perPage = 50 } = pagination ?? {}
  const key = JSON.stringify([resource, filter, sort, perPage, meta])
  const known = cursors.get(key) ?? [null]
  cursors.set(key, known)
  return {
    filter,
    limit: perPage,
    offset: (page - 1) * perPage,
    page,
    sort: { by: sort?.field, order: sort?.order === 'ASC' ? 'asc' : 'desc' },
    cursor: known[page - 1] ?? null,
    goesOnAt: (cursor) => {
      known[page] = cursor
    },
  }
}

/** A page of a list that does not say how many there are: that is known on the last page. */
export function pageOf(data: RaRecord[], { page, offset }: ListAsked, hasNextPage: boolean): GetListResult {
  return hasNextPage
    ? { data, pageInfo: { hasNextPage, hasPreviousPage: page > 1 } }
    : { data, total: offset + data.length }
}

/** Gives things the member `id` that React-admin knows them by. */
export function withIds<Thing extends object>(
  things: readonly Thing[],
  idOf: (thing: Thing) => Identifier,
): (Thing & RaRecord)[] {
  return things.map((thing) => ({ ...thing, id: idOf(thing) }))
}
