import fc from 'fast-check'
import type { AroundCommand } from './directory-around.ts'
import { reviewers, type ApplicationCommand, type Command, type Manager, type Reviewer } from './directory-model.ts'
import type { GuildName, ListingBody, Place } from './directory-world.ts'

/** The requests that the directory is played with. Those that change something come most often. */

const guild = fc.constantFrom<GuildName[]>('plain', 'plain', 'plain', 'verified', 'verified', 'nowhere')
const someManager = fc.constantFrom<Manager[]>('owner', 'owner', 'manager', 'manager', 'member', 'stranger')
const someReviewer = fc.constantFrom<Reviewer[]>(...reviewers)
const body: fc.Arbitrary<ListingBody> = fc.record(
  {
    description: fc.constantFrom('A place for chess', 'A place for go', 'x'.repeat(300), 'short', 'x'.repeat(301)),
    category_type: fc.constantFrom(0, 1, 8, 8, 9, -1),
    primary_language: fc.constantFrom('ja', 'pt-BR', 'pt-BR', 'pt-br'),
    custom_tags: fc.constantFrom(
      [],
      ['chess'],
      ['Chess ', ' board   games', 'chess'],
      ['x'],
      ['+go'],
      Array.from({ length: 11 }, (_, index) => `tag ${index}`),
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
)
const fullBody = fc.record({ description: fc.constant('A place for chess'), category_type: fc.constantFrom(0, 8) })
const reason = fc.constantFrom('spam', 'spam', 'too small', 'too small', '', 'x'.repeat(501))
const reviews = fc.record(
  { status: fc.constantFrom('approved', 'approved', 'approved', 'rejected', 'rejected', 'pending', 'removed'), reason },
  { requiredKeys: ['status'], noNullPrototype: true },
)
const about: fc.Arbitrary<ApplicationCommand> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('apply' as const),
      by: someManager,
      guild,
      body: fc.oneof({ weight: 3, arbitrary: fullBody }, { weight: 1, arbitrary: body }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('update' as const), by: someManager, guild, body }) },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constantFrom<('withdraw' | 'status')[]>('withdraw', 'status'),
      by: someManager,
      guild,
    }),
  },
  { weight: 6, arbitrary: fc.record({ op: fc.constant('review' as const), by: someReviewer, guild, body: reviews }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('edit' as const), by: someReviewer, guild, body }) },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('remove' as const),
      by: someReviewer,
      guild,
      body: fc.record({ reason }, { requiredKeys: [], noNullPrototype: true }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('move' as const),
      by: someReviewer,
      guilds: fc.array(guild, { maxLength: 4 }),
      category_type: fc.constantFrom(0, 3, 9),
    }),
  },
)

const place = fc.constantFrom<Place[]>('plain', 'verified')
const someAdministrator = fc.constantFrom<('first' | 'reviewer')[]>('first', 'reviewer')
const around: fc.Arbitrary<AroundCommand> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      {
        op: fc.constant('search' as const),
        by: fc.constantFrom<('visitor' | 'owner')[]>('visitor', 'owner'),
        category: fc.constantFrom(0, 1, 8),
        language: fc.constantFrom('en-US', 'ja'),
      },
      { requiredKeys: ['op', 'by'], noNullPrototype: true },
    ),
  },
  { weight: 5, arbitrary: fc.record({ op: fc.constant('join' as const), by: fc.constant('visitor' as const), guild }) },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('leave' as const), by: fc.constant('visitor' as const), guild: place }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constantFrom<('applications' | 'listings' | 'categories')[]>('applications', 'listings', 'categories'),
      by: someAdministrator,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('category' as const),
      by: someAdministrator,
      category: fc.constantFrom(0, 1, 8),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('publicCategories' as const),
      by: fc.constantFrom<('visitor' | 'member')[]>('visitor', 'member'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('toggle' as const),
      by: fc.constantFrom<('owner' | 'manager')[]>('owner', 'manager'),
      guild: place,
      closes: fc.boolean(),
    }),
  },
)
const byFeature = (...features: ('DISCOVERABLE' | 'VERIFIED')[]): fc.Arbitrary<AroundCommand> =>
  fc.record({
    op: fc.constant('features' as const),
    by: fc.constantFrom<('first' | 'second')[]>('first', 'second'),
    guild,
    feature: fc.constantFrom(...features),
    adds: fc.boolean(),
  })

const single: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: about },
  { weight: 4, arbitrary: around },
  { weight: 1, arbitrary: byFeature('DISCOVERABLE', 'VERIFIED') },
)

/** A change by one of them. */
const changeBy = (...people: readonly string[]): fc.Arbitrary<Command> =>
  fc
    .oneof({ weight: 8, arbitrary: about }, { weight: 1, arbitrary: byFeature('DISCOVERABLE') })
    .filter(({ op }) => op !== 'status')
    .filter(({ by }) => people.includes(by))

/** Two guild managers and two administrators, who change something at once. */
const crowd = fc.tuple(changeBy('owner'), changeBy('manager'), changeBy('first'), changeBy('second'))

/** One request, two of any kind that are sent at once, or four changes. */
export const steps = (steps_max: number): fc.Arbitrary<readonly (readonly Command[])[]> =>
  fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.tuple(single) },
      { weight: 3, arbitrary: fc.tuple(single, single) },
      { weight: 1, arbitrary: crowd },
    ),
    { maxLength: steps_max, size: 'max' },
  )
