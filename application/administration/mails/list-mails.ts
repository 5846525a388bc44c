import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import type { WantedMails } from '../../ports/mail.ts'
import { viewWithin } from '../../wire-objects/administration/admin-user-object.ts'
import { unsentMailObject, type UnsentMailObject } from '../../wire-objects/administration/unsent-mail-object.ts'
import { boundOf } from '../acls/acl-bound.ts'

export interface UnsentMailsPage {
  readonly mails: readonly UnsentMailObject[]
  readonly has_more: boolean
  readonly next_after: string | null
}

/** A page of the mails that were not sent, the newest first, and what the next page begins after. */
export function listMails({ mail }: Pick<Ports, 'mail'>) {
  return async (caller: Caller, wanted: WantedMails): Promise<UnsentMailsPage> => {
    const found = await mail.unsent({ ...wanted, limit: wanted.limit + 1 })
    const mails = found.slice(0, wanted.limit)
    const last = found.length > wanted.limit ? mails.at(-1) : undefined
    const view = viewWithin(boundOf(caller))
    return {
      mails: mails.map((each) => unsentMailObject(each, view)),
      has_more: last !== undefined,
      next_after: last?.id ?? null,
    }
  }
}
