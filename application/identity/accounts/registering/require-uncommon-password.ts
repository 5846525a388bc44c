import { isCommonPassword } from '../../../../domain/account/common-passwords.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { reject } from '../../../commands/refused.ts'

/** Refuses a common password, which attackers try first: INVALID_FORM_BODY with PASSWORD_IS_TOO_COMMON on its field. */
export function requireUncommonPassword(password: string, path = 'password'): void {
  if (isCommonPassword(password)) reject('INVALID_FORM_BODY', field(path, 'PASSWORD_IS_TOO_COMMON'))
}
