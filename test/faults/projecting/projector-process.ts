import { inspect } from 'node:util'
import { openDatabase } from '../../../adapters/postgres/database.ts'
import { closingList } from '../../../process/closing-list.ts'
import { natsCarrier } from '../../../process/roles/nats-carrier.ts'
import { openStore } from '../../../process/store.ts'
import { readModels } from '../../../projections/read-models.ts'
import { startProjections } from '../../../projections/runner/runner.ts'
import { deathOrder, projectorSettings, type DeathOrder } from './projector-child.ts'

// The projector in a process of its own. It kills itself at the ordered point without any clean-up, as in a crash.
const { connection, personalDataKey, natsUrl } = projectorSettings(process.argv[2])
const onError = (error: unknown): void => void process.stderr.write(`${inspect(error)}\n`)
const key = Buffer.from(personalDataKey, 'hex')
const store = await openStore({ connection, personalDataKey: key, onError })
const database = openDatabase(connection, { onError, customPlans: true, holdsLocks: true })
const carrierSettings = { servers: [natsUrl], name: 'projector', store: store.events, database, onError }
const { carrier } = await natsCarrier({ ...carrierSettings, closings: closingList() })
let order: DeathOrder | undefined
let passed = 0
process.on('message', (message) => {
  order = deathOrder(message)
})
process.on('disconnect', () => process.exit())

await startProjections({
  ...carrier,
  whileLeading(known) {
    process.send?.('leading')
    return carrier.whileLeading?.(known) ?? (() => Promise.resolve())
  },
  pool: database.pool,
  notifier: store.notifier,
  store: store.events,
  projections: readModels,
  onError,
  failpoint: (point) => {
    if (point !== order?.point) return
    passed += 1
    if (passed >= order.atBatch) process.kill(process.pid, 'SIGKILL')
  },
})
process.send?.('ready')
