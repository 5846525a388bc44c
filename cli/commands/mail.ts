import { openOutbox, shownMails_max, type ShownMail } from '../../adapters/mail/outbox.ts'
import { parseEmail } from '../../domain/account/names.ts'
import type { Store } from '../../process/store.ts'
import { besideServer } from './beside.ts'

export interface MailOptions {
  /** Only mails to this address. */
  readonly to?: string
  /** How many, 1 to `shownMails_max`, in digits. */
  readonly last: string
}

/** Prints the newest unsent mails, the newest one last. */
export async function mail(options: MailOptions, print: (line: string) => void): Promise<void> {
  const wish = parsedOptions(options)
  await besideServer((store) => printMails(store, wish, print))
}

interface Wish {
  readonly to: string | undefined
  readonly last: number
}

function parsedOptions({ to, last }: MailOptions): Wish {
  const count = /^\d{1,4}$/.test(last) ? Number(last) : 0
  if (count < 1 || count > shownMails_max) throw new Error(`--last ${last} is not a number from 1 to ${shownMails_max}`)
  if (to === undefined) return { to, last: count }
  const address = parseEmail(to)
  if (!address.ok) throw new Error(`--to ${to} is not an e-mail address`)
  return { to: address.value, last: count }
}

async function printMails(
  { database, personalDataKey }: Pick<Store, 'database' | 'personalDataKey'>,
  { to, last }: Wish,
  print: (line: string) => void,
): Promise<void> {
  const outbox = openOutbox(database, personalDataKey)
  const mails = (await outbox.shown()).filter((shown) => to === undefined || shown.to === to).slice(0, last)
  for (const shown of mails.toReversed()) printMail(shown, print)
  if (mails.length === 0) print(to === undefined ? 'There are no mails.' : `There are no mails to ${to}.`)
}

function printMail({ createdAt, to, subject, text, state, failure }: ShownMail, print: (line: string) => void): void {
  print(`${createdAt}  to ${to}`)
  if (state === 'parked') print(`Not sent: ${failure ?? 'unknown'}`)
  print(`Subject: ${subject}`)
  print('')
  print(text)
}
