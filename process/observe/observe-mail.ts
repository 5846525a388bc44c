import { Counter, type Registry } from 'prom-client'
import type { Undelivered } from '../../adapters/mail/send-mail.ts'

/** Adds the failures of mails to the metrics, and gives the function that counts one. */
export function observeMail(registry: Registry): (failure: Pick<Undelivered, 'parked'>) => void {
  const failures = new Counter({
    name: 'guildhall_mail_failures_total',
    help: 'Tries to send a mail that failed since the start, by whether the mail was given up or is tried again.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  const outcomes = ['given_up', 'retried'] as const
  for (const outcome of outcomes) failures.inc({ outcome }, 0)
  return ({ parked }) => failures.inc({ outcome: parked ? 'given_up' : 'retried' })
}
