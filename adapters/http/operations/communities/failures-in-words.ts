import type { Refusal } from '../../../../domain/kernel/refusal.ts'
import { languageOf } from '../../../../domain/text/languages.ts'
import type { Caller } from '../../../../application/caller.ts'
import { messagesIn } from '../../errors/messages.ts'

/** Says why something was not done: what is wrong with a field, or else the message of the code. */
export function failuresInWords(
  { account }: Pick<Caller, 'account'>,
  failed: readonly { readonly name: string; readonly refusal: Refusal }[],
): readonly { readonly name: string; readonly error: string }[] {
  const { errors, fields } = messagesIn[languageOf(account.locale)]
  return failed.map(({ name, refusal }) => {
    const [field] = refusal.fields
    return { name, error: field ? fields[field.code] : errors[refusal.code] }
  })
}
