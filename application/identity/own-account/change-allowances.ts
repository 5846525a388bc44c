import type { AccountId } from '../../../domain/ids/ids.ts'
import type { FieldCode } from '../../../domain/kernel/field-codes.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { reject } from '../../commands/refused.ts'
import type { Rate } from '../../ports/allowances.ts'
import type { Ports } from '../../ports.ts'

const often: Rate = { requests: 25, seconds: 30 * 60 }

/** How often an account may change each part of itself, and the code after that. */
const allowances = {
  tag: { rate: { requests: 5, seconds: 3 * 3600 }, code: 'USERNAME_CHANGED_TOO_MANY_TIMES' },
  avatar: { rate: often, code: 'AVATAR_CHANGED_TOO_MANY_TIMES' },
  banner: { rate: often, code: 'BANNER_CHANGED_TOO_MANY_TIMES' },
  bio: { rate: often, code: 'BIO_CHANGED_TOO_MANY_TIMES' },
  pronouns: { rate: often, code: 'PRONOUNS_CHANGED_TOO_MANY_TIMES' },
  accent_color: { rate: often, code: 'ACCENT_COLOR_CHANGED_TOO_MANY_TIMES' },
} as const satisfies Readonly<Record<string, { readonly rate: Rate; readonly code: FieldCode }>>

/** Charges one change. Refuses with INVALID_FORM_BODY with the allowance's code on `path`. */
export async function chargeChange(
  ports: Pick<Ports, 'allowances'>,
  part: keyof typeof allowances,
  account: AccountId,
  path: string = part,
): Promise<void> {
  const { rate, code } = allowances[part]
  const { allowed } = await ports.allowances.take(`${part} changes of account`, account, rate)
  if (!allowed) reject('INVALID_FORM_BODY', field(path, code))
}
