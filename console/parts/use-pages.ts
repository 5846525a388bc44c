import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { call, type Input, type ReplyOf } from '../api/call.ts'
import type { OperationId } from '../api/operations.ts'

/** The pages of a list with a cursor that were read so far, and what reads the next one. */
export interface Pages<Row> {
  readonly rows: readonly Row[] | undefined
  readonly more: (() => void) | undefined
  readonly error: unknown
  readonly isPending: boolean
  readonly retry: () => void
}

/**
 * Reads a list with a cursor page by page, as the reader asks for more. `nextOf` gives what the query of the next page has beside that
 * of the first, from the answer of the one before it; undefined after the last page.
 */
export function usePages<Id extends OperationId, Row>(
  id: Id,
  input: Input<Id>,
  rowsIn: (reply: ReplyOf<Id>) => readonly Row[],
  nextOf: (reply: ReplyOf<Id>, rows: readonly Row[]) => object | undefined,
): Pages<Row> {
  const read: UseInfiniteQueryResult<{ pages: ReplyOf<Id>[] }> = useInfiniteQuery({
    queryKey: ['pages', id, input],
    initialPageParam: {},
    queryFn: ({ pageParam }) =>
      call(id, { ...input, query: { ...(input.query as object), ...pageParam } as Input<Id>['query'] }),
    getNextPageParam: (reply: ReplyOf<Id>) => nextOf(reply, rowsIn(reply)),
  })
  return {
    rows: read.data?.pages.flatMap(rowsIn),
    more: read.hasNextPage ? () => void read.fetchNextPage() : undefined,
    error: read.error,
    isPending: read.isPending,
    retry: () => void read.refetch(),
  }
}
