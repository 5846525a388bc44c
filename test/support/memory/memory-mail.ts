import { timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Letter, Mail } from '../../../application/ports/mail.ts'

export const memoryLetters_max = 1000

/** Mails for tests: nothing is sent. The newest `memoryLetters_max` letters can be read, oldest first. */
export function memoryMail(canSend: boolean): Mail & { readonly letters: readonly Letter[] } {
  const letters: Letter[] = []
  const send = async (letter: Letter): Promise<void> => {
    if (letters.some(({ key }) => key === letter.key)) return
    letters.push(letter)
    if (letters.length > memoryLetters_max) letters.shift()
  }
  return {
    canSend,
    letters,
    send,
    deliver: (letter) => send(letter).then(() => canSend),
    ofRequest: async (request) =>
      letters
        .filter(({ cause }) => cause.correlationId === request)
        .map(({ key, cause, template, accountId }) => ({
          id: key,
          causationId: cause.causationId,
          template,
          accountId,
          state: 'kept',
          createdAt: timestamp(0),
        })),
    unsent: async () => [],
    async forget(account) {
      letters.splice(0, letters.length, ...letters.filter(({ accountId }) => accountId !== account))
    },
  }
}
