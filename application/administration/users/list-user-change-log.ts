import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import type { ChangesPage } from '../../ports/queries/user-change-log-queries.ts'
import type { Ports } from '../../ports.ts'
import {
  adminUserChangeObject,
  type AdminUserChangeObject,
} from '../../wire-objects/administration/admin-user-change-object.ts'
import { viewWithin } from '../../wire-objects/administration/admin-user-object.ts'
import { boundOf } from '../acls/acl-bound.ts'

/** A page of the change log. The token is the id of its last entry; null if the page is not full. */
export interface UserChangeLogPage {
  readonly entries: readonly AdminUserChangeObject[]
  readonly next_page_token: string | null
}

/** The changes of an account's tag and address, newest first. An unknown account has none. */
export function listUserChangeLog({ queries }: { readonly queries: Pick<Ports['queries'], 'userChangeLog'> }) {
  return async (caller: Caller, target: AccountId, page: ChangesPage): Promise<UserChangeLogPage> => {
    const changes = await queries.userChangeLog.ofAccount(target, page)
    const view = viewWithin(boundOf(caller))
    return {
      entries: changes.map((change) => adminUserChangeObject(change, view)),
      next_page_token: changes.length === page.limit ? (changes.at(-1)?.id ?? null) : null,
    }
  }
}
