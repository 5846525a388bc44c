import { z } from 'zod'
import type { UnsentMail } from '../../ports/mail.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'
import { nullableSnowflake, nullableText, nullableTimestamp, timestampOutput } from '../scalars.ts'
import { redacted, type AdminUserView } from './admin-user-object.ts'

/** The states of a mail that was not sent. */
export const unsentStates = ['waiting', 'kept', 'parked'] as const satisfies readonly UnsentMail['state'][]

export const unsentMailSchema = wireObject('UnsentMail', {
  id: z.string().regex(/^\d+$/).describe('A number that grows from mail to mail.'),
  template: nullableText.describe('Which mail it is; null from a version before.'),
  user_id: nullableSnowflake.describe('The account that it is about; null from a version before.'),
  email: z.string().describe('The address that it goes to.'),
  state: z
    .enum(unsentStates)
    .describe('Whether it is still to be sent, kept because there was no mail server, or refused by the mail server.'),
  tries: z.int().describe('How often it was tried, with a try that is under way.'),
  created_at: timestampOutput,
  next_try_at: nullableTimestamp.describe('When it is tried next; null where it is not tried any more.'),
  failure: nullableText.describe('The code of what the last try failed with.'),
})

export type UnsentMailObject = ObjectOf<typeof unsentMailSchema>

/** A mail that was not sent. Its address is redacted for callers who may not see addresses. */
export function unsentMailObject(mail: UnsentMail, view: Pick<AdminUserView, 'email'>): UnsentMailObject {
  return objectOf(unsentMailSchema, {
    id: mail.id,
    template: mail.template,
    user_id: mail.accountId,
    email: view.email ? mail.to : redacted,
    state: mail.state,
    tries: mail.tries,
    created_at: mail.createdAt,
    next_try_at: mail.dueAt,
    failure: mail.failure,
  })
}
