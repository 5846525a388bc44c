import type { z } from 'zod'
import { mailsPage } from '../../adapters/http/schemas/administration/mails.ts'
import { readAsOperator, type Print } from '../operator/act-on.ts'

export interface MailsOptions {
  readonly state?: string
  /** The id of the account that they are about. */
  readonly account?: string
  readonly limit: string
  /** The mail after which they begin. */
  readonly after?: string
  readonly json?: boolean
}

/** Prints a page of the mails that were not sent, the newest first, without what stands in them. */
export async function mails({ state, account, limit, after, json }: MailsOptions, print: Print): Promise<void> {
  const query = {
    limit,
    ...(state !== undefined && { state }),
    ...(account !== undefined && { user_id: account }),
    ...(after !== undefined && { after }),
  }
  const reply = await readAsOperator({ operation: 'List mails', query }, print)
  if (json === true) return print(JSON.stringify(reply))
  const page = mailsPage.parse(reply)
  for (const mail of page.mails) print(lineOf(mail))
  if (page.mails.length === 0) print('There are no mails.')
  if (page.next_after !== null) print(`There are more: --after ${page.next_after}`)
}

function lineOf(mail: z.output<typeof mailsPage>['mails'][number]): string {
  const next = mail.next_try_at === null ? '' : `, next try ${mail.next_try_at}`
  const failure = mail.failure === null ? '' : `, ${mail.failure}`
  const about = mail.user_id === null ? '' : ` about account ${mail.user_id}`
  return `${mail.id}  ${mail.created_at}  ${mail.state}  ${mail.template ?? 'unknown'}${about} to ${mail.email}, ${mail.tries} tries${next}${failure}`
}
