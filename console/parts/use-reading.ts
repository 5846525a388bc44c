import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { call, type Input, type ReplyOf } from '../api/call.ts'
import type { OperationId } from '../api/operations.ts'

/**
 * Reads an operation for a part of a page. `every_ms` reads it again and again while the page is looked at; `isOnce` never by itself,
 * for what leaves an entry in the audit log each time.
 */
export function useReading<Id extends OperationId>(
  id: Id,
  input: Input<Id> = {},
  options: { readonly enabled?: boolean; readonly every_ms?: number; readonly isOnce?: boolean } = {},
): UseQueryResult<ReplyOf<Id>> {
  return useQuery({
    queryKey: ['reading', id, input],
    queryFn: () => call(id, input),
    enabled: options.enabled ?? true,
    ...(options.isOnce === true && { staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false }),
    ...(options.every_ms !== undefined && { refetchInterval: options.every_ms }),
  })
}
