import { expect } from 'vitest'
import type { Payload } from '../../gateway/support/client.ts'
import { bodyOf } from '../../operations/support/answers.ts'
import { messagesPath, sent } from '../../operations/support/messages.ts'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { factIn, isMark, textOf, type Fact } from './facts.ts'
import { GuildActs } from './guild-acts.ts'
import { Sayings, type Said } from './sayings.ts'
import { compareMessage, comparePins } from './shown-message.ts'
import { Spectator, type Viewers } from './spectator.ts'
import { openStage, sendAs, type Stage } from './stage.ts'
import type { Step, StepOf } from './steps.ts'
import { watch, type Watcher } from './watcher.ts'

/** After these, a member may see other channels, and other expressions. */
const changesOfSight: ReadonlySet<Step['type']> = new Set(['overwrite', 'role', 'membership', 'expression'])

/** A guild whose owner sees everything, and members of whom each step changes who sees what. */
export class Play {
  readonly #stage: Stage
  readonly #owner: Watcher
  readonly #spectators: readonly Spectator[]
  readonly #acts: GuildActs
  readonly #sayings: Sayings
  #viewers: Viewers
  #marks = 0

  private constructor(stage: Stage, owner: Watcher, spectators: readonly Spectator[]) {
    this.#stage = stage
    this.#owner = owner
    this.#spectators = spectators
    this.#acts = new GuildActs(stage)
    this.#sayings = new Sayings(stage)
    this.#viewers = this.#viewersNow()
  }

  static async open(guildhall: TestGuildhall, people: readonly TestAccount[]): Promise<Play> {
    const stage = await openStage(guildhall, people)
    const spectators: Spectator[] = []
    for (const member of stage.members) spectators.push(await Spectator.of(stage, member))
    const play = new Play(stage, await watch(guildhall.url, stage.home.owner), spectators)
    // What was told of the joins is over.
    const mark = await play.#mark()
    for (const { heardUntil } of [play.#owner, ...spectators.map(({ watcher }) => watcher)])
      await heardUntil((each) => isMark(each, mark), mark)
    for (const [index, spectator] of spectators.entries()) spectator.look(stage.channels[index] ?? stage.home.channel)
    return play
  }

  /** Takes a step, and expects that each session hears of it what HTTP shows to its account then, and nothing else. */
  async take(step: Step): Promise<void> {
    // Of what is deleted, HTTP shows nothing afterwards.
    const deleted = step.type === 'delete' ? this.#sayings.message(step.message) : undefined
    const readers = await this.#readersOf(deleted)
    const own = step.type === 'read' ? await this.#reads(step) : await this.#happens(step)
    if (own === false) return
    const mark = await this.#mark()
    const told = await this.#heardUntil(this.#owner, mark)
    const all = told.flatMap((each) => this.#factsIn(each)).filter(({ path }) => path !== undefined)
    const before = this.#viewers
    if (changesOfSight.has(step.type)) await this.#lookOverHttp()
    for (const [index, spectator] of this.#spectators.entries()) {
      const due = typeof own === 'string' && 'member' in step && step.member === index ? [own] : []
      for (const { t, text, path = '' } of all)
        if (t === 'MESSAGE_DELETE' ? readers.has(spectator) : (await spectator.read(path)).status === 200)
          due.push(text)
      const { watcher } = spectator
      if (!watcher.isThere()) {
        spectator.missed = [...spectator.missed, ...due]
        continue
      }
      const heard = await this.#heardUntil(watcher, mark)
      const isBack = step.type === 'connection' && step.member === index
      const expected = [...spectator.missed, ...due]
      spectator.missed = []
      const texts = heard.flatMap((each) => this.#factsIn(each)).map(({ text }) => text)
      expect(texts, `after ${JSON.stringify(step)}: ${texts.join()} for ${expected.join()}`).toStrictEqual(expected)
      spectator.take(heard, before, this.#viewers)
      if (!isBack) await this.#compare(spectator, heard)
      if (step.type === 'look' && step.member === index) await spectator.seesList(this.#viewers)
    }
  }

  async #compare(spectator: Spectator, heard: readonly Payload[]): Promise<void> {
    const read = (path: string): Promise<TestAnswer> => spectator.read(path)
    for (const each of heard) {
      await compareMessage(each, this.#stage.guildhall.url, read)
      await comparePins(each, read)
    }
  }

  /** Expects that each session gets the list of what it looks at. */
  async settle(): Promise<void> {
    for (const spectator of this.#spectators) await spectator.seesList(this.#viewers)
  }

  end(): void {
    for (const { end } of [this.#owner, ...this.#spectators.map(({ watcher }) => watcher)]) end()
  }

  /** Without those of the marks: who resumes hears all that were missed. */
  #factsIn(heard: Payload): readonly Fact[] {
    const fact = factIn(heard)
    return fact && fact.channel !== this.#stage.square.channel ? [fact] : []
  }

  async #heardUntil({ heardUntil }: Watcher, mark: string): Promise<readonly Payload[]> {
    return (await heardUntil((each) => isMark(each, mark), mark)).slice(0, -1)
  }

  async #lookOverHttp(): Promise<void> {
    for (const spectator of this.#spectators) await spectator.lookOverHttp()
    this.#viewers = this.#viewersNow()
  }

  #viewersNow(): Viewers {
    const { home, channels } = this.#stage
    const viewersOf = (channel: string): readonly string[] =>
      this.#spectators.filter((each) => each.channels.includes(channel)).map(({ member }) => member.account.id)
    const all = [home.channel, ...channels]
    return new Map(all.map((channel) => [channel, [home.owner.id, ...viewersOf(channel)].toSorted()]))
  }

  async #readersOf(said: Said | undefined): Promise<Set<Spectator>> {
    const readers = new Set<Spectator>()
    if (said)
      for (const spectator of this.#spectators)
        if ((await spectator.read(messagesPath(said.channel, said.id))).status === 200) readers.add(spectator)
    return readers
  }

  async #mark(): Promise<string> {
    this.#marks += 1
    const content = `mark ${this.#marks}`
    await sent(this.#stage.guildhall, this.#stage.home.owner, this.#stage.square.channel, content)
    return content
  }

  /** Does what a step says. False where there is nothing that it could be done to. */
  async #happens(step: Exclude<Step, StepOf<'read'>>): Promise<boolean> {
    switch (step.type) {
      case 'overwrite':
        return this.#acts.overwrite(step)
      case 'role':
        return this.#acts.giveOrTake(step)
      case 'membership':
        this.#spectators[step.member]?.leave()
        return this.#acts.leaveOrJoin(step)
      case 'expression':
        return this.#acts.changeExpression(step)
      case 'thread':
        return this.#sayings.startThread(step)
      case 'thread member':
        return this.#sayings.addToThread(step)
      case 'send':
        return this.#sayings.send(step)
      case 'reply':
        return this.#sayings.reply(step)
      case 'forward':
        return this.#sayings.forward(step)
      case 'write':
        return this.#sayings.write(step)
      case 'webhook':
        return this.#sayings.changeWebhook(step)
      case 'post':
        return this.#sayings.post(step)
      case 'look':
        return this.#spectators[step.member]?.look(this.#stage.channels[step.channel] ?? '') ?? false
      case 'connection':
        return this.#loseOrResume(step)
      default:
        return this.#sayings.change(step.type, step.message)
    }
  }

  /** Gives what only the own sessions hear; false for nothing. */
  async #reads({ member, message, pins }: StepOf<'read'>): Promise<string | false> {
    const [said, spectator] = [this.#sayings.message(message), this.#spectators[member]]
    if (!said || !spectator) return false
    const { account } = spectator.member
    if (!pins) {
      bodyOf(await sendAs(this.#stage, account, 'POST', `${messagesPath(said.channel, said.id)}/ack`, {}))
      return textOf('MESSAGE_ACK', said.channel, said.id)
    }
    const { status } = await sendAs(this.#stage, account, 'POST', `/v1/channels/${said.channel}/pins/ack`)
    const { last_pin_timestamp: at } = (await spectator.read(`/v1/channels/${said.channel}`)).body as Pinned
    return status < 300 && typeof at === 'string' && textOf('CHANNEL_PINS_ACK', said.channel)
  }

  async #loseOrResume({ member }: StepOf<'connection'>): Promise<boolean> {
    const watcher = this.#spectators[member]?.watcher
    if (!watcher) return false
    if (watcher.isThere()) watcher.lose()
    else await watcher.resume()
    return true
  }
}

interface Pinned {
  readonly last_pin_timestamp?: string | null
}
