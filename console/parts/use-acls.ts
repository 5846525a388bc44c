import { usePermissions } from 'react-admin'
import { holds, mayCall, type OperationId } from '../api/operations.ts'

/** What the reader may do. Nothing while that is not known yet. */
export function useAcls(): {
  readonly isKnown: boolean
  readonly may: (id: OperationId) => boolean
  readonly holds: (acl: string) => boolean
} {
  const { permissions, isPending } = usePermissions<readonly string[]>()
  const held = permissions ?? []
  return { isKnown: !isPending, may: (id) => mayCall(held, id), holds: (acl) => holds(held, acl) }
}
