import { afterAll, beforeAll } from 'vitest'
import { clockSteps } from './clock-steps.ts'
import { openKillableProduct, type KillableProduct } from './killable-product.ts'
import { killedAdministration } from './killed-administration.ts'
import { killedAmongCopies } from './killed-among-copies.ts'
import { killedAmongFiles } from './killed-among-files.ts'
import { killedBeforeAnswers } from './killed-before-answers.ts'
import { lateRepeats } from './late-repeats.ts'

// One process after another on one database, for chapters that follow each other: each has people of its own.
let product: KillableProduct
beforeAll(async () => {
  product = await openKillableProduct()
})
afterAll(() => product.close())
const on = (): KillableProduct => product

killedBeforeAnswers(on)
killedAdministration(on)
killedAmongFiles(on)
killedAmongCopies(on)
lateRepeats(on)
clockSteps(on)
