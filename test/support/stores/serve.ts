import process from 'node:process'
import { startStoreA } from '../store-a/double.ts'
import { startStoreB } from '../store-b/double.ts'
import { pushBody } from '../store-b/push.ts'
import { packageName } from '../store-b/sales.ts'
import { settingsFor } from './stores-over.ts'
import { runningClock } from './test-clock.ts'

/**
 * Both doubles as a program, for trying: `node dist/test/support/stores/serve.js`. It prints the settings of a server that sells
 * through them, in the form of a `.env` file, then a purchase of each kind with what the customer's app would hand over, and what
 * the stores would send to the webhooks. It ends on SIGTERM and SIGINT, and when its standard input does.
 */
const clock = runningClock()
const [storeA, storeB] = await Promise.all([startStoreA({ clock }), startStoreB({ clock })])
for (const [name, value] of Object.entries(settingsFor({ storeA, storeB, sandbox: { everyone: true } })))
  print(`${name}='${value}'`)

for (const productId of ['premium.monthly', 'gift.month']) {
  const sale = storeA.sell({ productId })
  print(`# store A, ${productId}`)
  print(JSON.stringify({ signed_transaction: await storeA.signedTransaction(sale) }))
  print(JSON.stringify({ signedPayload: await storeA.notify('SUBSCRIBED', sale) }))
}
for (const productId of ['premium', 'gift_month']) {
  const { token } = storeB.sell({ productId })
  print(`# store B, ${productId}`)
  print(JSON.stringify({ purchase_token: token, product_id: productId, package_name: packageName }))
  const said = { notificationType: 4, purchaseToken: token }
  const notification =
    productId === 'premium' ? { subscriptionNotification: said } : { oneTimeProductNotification: said }
  const eventTimeMillis = String(storeB.clock.now())
  print(JSON.stringify(pushBody({ version: '1.0', packageName, eventTimeMillis, ...notification })))
}
print(`# the header of a push: ${await storeB.push.authorization()}`)

let ending = false
const end = (): void => {
  if (ending) return
  ending = true
  void Promise.all([storeA.close(), storeB.close()]).then(() => process.exit(0))
}
process.once('SIGTERM', end)
process.once('SIGINT', end)
process.stdin.once('end', end).once('close', end).resume()

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
