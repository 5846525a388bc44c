import type { EventMetadata, RecordedEvent } from '../../application/ports/event-store.ts'
import type { LoggedField } from '../../domain/account/logged-fields.ts'
import type { AccountEvent } from '../../domain/account/events.ts'
import { projection, put, removeWhere, type Row, type RowChange } from '../runner/projection.ts'

/**
 * The tags and addresses that accounts have had. Events have only the new value, so a query finds each old value in the row
 * before: what happened before this read model existed is listed too.
 */
export const userChangeLogProjection = projection<AccountEvent>({
  name: 'user_change_log',
  answers: 'The changes of tags and e-mail addresses of each account, for administrators.',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { field_values: ['account_id', 'position', 'field'] },
  on: {
    AccountRegistered: (event) => [
      first(event, 'fluxer_tag', tagOf(event.data)),
      first(event, 'email', event.data.email),
    ],
    TagChanged: (event) => [changed(event, 'fluxer_tag', tagOf(event.data))],
    EmailAddressChanged: (event) => [changed(event, 'email', event.data.email)],
    AccountErasureStarted: ({ data }) => [removeWhere('field_values', { account_id: data.accountId })],
  },
})

type OfAccount = RecordedEvent<
  Extract<AccountEvent, { readonly type: 'AccountRegistered' | 'TagChanged' | 'EmailAddressChanged' }>
>

function first(event: OfAccount, field: LoggedField, value: string | null): RowChange {
  return put('field_values', { ...rowOf(event, field, value), is_first: true, reason: null, actor_user_id: null })
}

function changed(event: OfAccount, field: LoggedField, value: string | null): RowChange {
  return put('field_values', { ...rowOf(event, field, value), is_first: false, ...causeOf(event.metadata) })
}

function rowOf({ data, metadata, position }: OfAccount, field: LoggedField, value: string | null): Row {
  return { account_id: data.accountId, position: position.toString(), field, value, changed_at: metadata.at }
}

/** Whether an administrator changed it, and who, or the holder. The system is no cause. */
function causeOf({ actor, adminAction }: EventMetadata): Row {
  if (adminAction) return { reason: 'admin_action', actor_user_id: adminAction.adminId }
  return { reason: actor.kind === 'account' ? 'user_requested' : null, actor_user_id: null }
}

/** As in Ada#0001, also where usernames alone are unique. */
function tagOf({ username, discriminator }: { readonly username: string; readonly discriminator: number }): string {
  return `${username}#${discriminator.toString().padStart(4, '0')}`
}
