import type { Chance } from './chance.ts'

/** The names and the messages of the people in a seeded guild. */

const givenNames = [
  'Ada',
  'Alan',
  'Amara',
  'Barbara',
  'Bela',
  'Chen',
  'Dana',
  'Edsger',
  'Elif',
  'Farah',
  'Grace',
  'Hedy',
  'Ines',
  'Joan',
  'Kofi',
  'Lena',
  'Linus',
  'Mika',
  'Nadia',
  'Olu',
  'Petra',
  'Quinn',
  'Radia',
  'Sven',
  'Tomas',
  'Uma',
  'Vera',
  'Wanda',
  'Yuki',
  'Zuzana',
] as const
const things = [
  'anchor',
  'badger',
  'comet',
  'delta',
  'ember',
  'falcon',
  'garnet',
  'harbor',
  'island',
  'juniper',
  'kernel',
  'lantern',
  'meadow',
  'nebula',
  'otter',
  'pixel',
  'quartz',
  'river',
  'summit',
  'thistle',
  'umbra',
  'violet',
  'willow',
  'zephyr',
] as const

/** A username, which may be taken, and a display name. */
export function personOf(chance: Chance): { readonly username: string; readonly globalName: string } {
  const [name, thing] = [chance.one(givenNames), chance.one(things)]
  const username = `${name.toLowerCase()}_${thing}${chance.below(10_000)}`
  return { username, globalName: chance.below(3) === 0 ? `${name} of the ${thing}` : name }
}

export const roleNames = ['Moderator', 'Regular', 'Artist', 'Bot wrangler', 'Newcomer'] as const

const channelTopics = [
  ['announcements', 'What everybody should know'],
  ['introductions', 'Say who you are'],
  ['help', 'Ask anything'],
  ['off-topic', 'All the rest'],
  ['show-and-tell', 'What you have made'],
  ['music', 'What you listen to'],
  ['games', 'What you play, and with whom'],
  ['books', 'What you read'],
  ['food', 'What you cook'],
  ['photography', 'What you saw'],
] as const

/** The name and topic of the `index`-th channel. Repeated names get a number. */
export function channelOf(index: number): { readonly name: string; readonly topic: string } {
  const [name, topic] = channelTopics[index % channelTopics.length] ?? channelTopics[0]
  const round = Math.floor(index / channelTopics.length)
  return { name: round === 0 ? name : `${name}-${round + 1}`, topic }
}

const openings = [
  'I think',
  'Honestly,',
  'By the way,',
  'Does anybody know whether',
  'Good morning,',
  'So',
  'Well,',
] as const
const middles = [
  'the new version',
  'this weekend',
  'the old harbor',
  'my garden',
  'that talk from yesterday',
  'the second chapter',
  'our little server',
  'the weather in the mountains',
] as const
const endings = [
  'is better than I expected.',
  'could need some help.',
  'made me laugh.',
  'takes longer than it should.',
  'is worth another look!',
  'works for everybody?',
  'reminds me of something.',
] as const

/** A line of chat. */
export function lineOf(chance: Chance): string {
  return `${chance.one(openings)} ${chance.one(middles)} ${chance.one(endings)}`
}
