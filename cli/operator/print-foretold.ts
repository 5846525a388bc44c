import { renderMail } from '../../application/identity/mail/render-mail.ts'
import type { Foretold } from './open-operator.ts'

/** Prints what a dry run would have written and sent, one line each. Personal members are in the clear. */
export function printForetold({ events, letters, instance }: Foretold, print: (line: string) => void): void {
  for (const { stream, type, data } of events) print(`event  ${stream}  ${type}  ${JSON.stringify(data)}`)
  for (const letter of letters)
    print(`mail  to ${letter.to}  ${letter.template}  ${renderMail(letter, instance).subject}`)
  if (events.length === 0) print('Nothing would change.')
  print('This was a dry run: nothing was written or sent.')
}
