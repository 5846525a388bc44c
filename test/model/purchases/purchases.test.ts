import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PurchasesStage, type Act, type Step } from './purchases-stage.js'

const who = fc.constantFrom('ada', 'grace')
const subscriptions = fc.constantFrom('subscriptionA', 'subscriptionB', 'upgradeB')
const gifts = fc.constantFrom('giftA', 'giftB')
const sales = fc.oneof(subscriptions, gifts)

const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act: fc.constant('claim'), who, sale: sales }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('redeem'), who, sale: gifts }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('renew', 'grace', 'cancel'), sale: subscriptions }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constantFrom('refund', 'reverse'), sale: sales }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('void'), sale: fc.constantFrom('subscriptionB', 'giftB') }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('tell'), sale: sales }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('release'), who, sale: subscriptions }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('erase'), who: fc.constant('grace') }) },
) as fc.Arbitrary<Act>

/** Time passes, something happens, and the process may die at some point of it; then somebody comes first. */
const steps = fc.array(
  fc.record({
    wait: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12 })),
    act: acts,
    dies: fc.option(fc.nat({ max: 8 })),
    first: fc.constantFrom('the client', 'a notification', 'the due reading', 'the process manager'),
  }),
  { minLength: 4, maxLength: 16 },
)

/** The same stories each time; PROPERTY_SEED=random draws others, and a failure names its seed. PROPERTY_SHRINK=1 makes it small, which takes long. */
const given = process.env['PROPERTY_SEED'] ?? '17379900'
const seed = given === 'random' ? Date.now() % 2 ** 31 : Number(given)
const runs = Number(process.env['PROPERTY_RUNS'] ?? 25)

it('purchases, gifts and premium end as the model says, whoever dies, comes first or comes twice', async () => {
  const story = fc.asyncProperty(steps, async (list) => {
    const stage = await PurchasesStage.open()
    for (const step of list) {
      await stage.play(step)
      expect({ step, ...(await stage.seen()) }).toStrictEqual({ step, ...stage.expected() })
    }
  })
  await fc.assert(story, {
    seed,
    numRuns: runs,
    includeErrorInReport: true,
    endOnFailure: process.env['PROPERTY_SHRINK'] === undefined,
  })
}, 120_000)

const story = (...acts: readonly (readonly [number, string, string, string?])[]): readonly Step[] =>
  acts.map(([wait, act, sale, who]) => ({ wait, act: { act, sale, who }, dies: null, first: 'the client' }) as Step)

it('a subscription that was refunded and then replaced pays for no day', async () => {
  const stage = await PurchasesStage.open()
  const steps = story(
    [0, 'claim', 'giftA', 'ada'],
    [0, 'redeem', 'giftA', 'ada'],
    [0, 'claim', 'subscriptionB', 'ada'],
    [5, 'refund', 'subscriptionB'],
    [10, 'tell', 'upgradeB'],
  )
  for (const step of steps) {
    await stage.play(step)
    expect({ step, ...(await stage.seen()) }).toStrictEqual({ step, ...stage.expected() })
  }
})
