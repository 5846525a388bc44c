import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { call, type Input, type ReplyOf } from '../api/call.ts'
import type { OperationId } from '../api/operations.ts'

/** Reads an operation for a part of a page. `every_ms` reads it again and again while the page is looked at. */
export function useReading<Id extends OperationId>(
  id: Id,
  input: Input<Id> = {},
  options: { readonly enabled?: boolean; readonly every_ms?: number } = {},
): UseQueryResult<ReplyOf<Id>> {
  return useQuery({
    queryKey: ['reading', id, input],
    queryFn: () => call(id, input),
    enabled: options.enabled ?? true,
    ...(options.every_ms !== undefined && { refetchInterval: options.every_ms }),
  })
}
