import type { z } from 'zod'
import { purchasesPage } from '../../adapters/http/schemas/administration/purchases.ts'
import { readAsOperator, type Print } from '../operator/act-on.ts'

export interface PurchasesOptions {
  /** The id of the account that has them. */
  readonly account?: string
  readonly store?: string
  readonly state?: string
  readonly since?: string
  readonly until?: string
  readonly limit: string
  /** The cursor that an earlier page ended with. */
  readonly after?: string
  readonly json?: boolean
}

/** Prints a page of what was bought in the stores, with what was seen last first. */
export async function purchases({ account, store, json, ...options }: PurchasesOptions, print: Print): Promise<void> {
  const query = {
    ...options,
    ...(account !== undefined && { user_id: account }),
    ...(store !== undefined && { provider: store }),
  }
  const reply = await readAsOperator({ operation: 'List purchases', query }, print)
  if (json === true) return print(JSON.stringify(reply))
  const page = purchasesPage.parse(reply)
  for (const purchase of page.purchases) print(lineOf(purchase))
  if (page.purchases.length === 0) print('There are no purchases.')
  if (page.next_after !== null) print(`There are more: --after ${page.next_after}`)
}

function lineOf(purchase: z.output<typeof purchasesPage>['purchases'][number]): string {
  const { kind, product_id: product, environment } = purchase
  const what = product === null ? 'not read yet' : `${kind} ${product}, ${environment}`
  const owner = purchase.user_id === null ? 'of nobody' : `of account ${purchase.user_id}`
  const ends = purchase.expires_at === null ? '' : `, paid until ${purchase.expires_at}`
  const back = purchase.revoked_at === null ? '' : `, revoked ${purchase.revoked_at}`
  return `${purchase.id}  ${purchase.created_at}  ${purchase.provider}  ${purchase.state}  ${what}, ${owner}${ends}${back}`
}
