import { keyedQueue } from '../../../application/commands/keyed-queue.js'
import { reject } from '../../../application/commands/refused.js'
import type { CommandOrigin, CommandOrigins, OriginRecipe } from '../../../application/ports/command-origins.js'
import type { Answer } from '../server/answer.js'
import type { IdempotencyRow, IdempotencyRows, Turn } from './idempotency-rows.js'
import { requestSeal, type KeyedRequest, type RequestSeal } from './keyed-request.js'

/** What a command came to, and whether the same key gives the same again. */
export interface Outcome {
  readonly answer: Answer
  /**
   * `final`: the key stands for this answer. `open`: it may have written something, so the same key runs the same command
   * again. `void`: it did nothing, so the key is as good as unused.
   */
  readonly counts: 'final' | 'open' | 'void'
}

/** Lets a request with an Idempotency-Key do its work once, however often it comes and whoever dies in between. */
export interface Idempotency {
  /**
   * Runs a command, or gives the answer that an earlier request with the same key had, with `Idempotent-Replayed: true`.
   * Refuses with CONFLICT where the key stands for another request, or where that one is still at work after `turnWait_ms_max`.
   */
  once(request: KeyedRequest, run: (origin: CommandOrigin) => Promise<Outcome>): Promise<Answer>
}

export interface IdempotencySettings {
  readonly rows: IdempotencyRows
  readonly origins: CommandOrigins
  /** 32 bytes: PERSONAL_DATA_KEY, or what follows from it. */
  readonly secret: Uint8Array
  /** Told of an answer that could not be stored: the same key would run the command again, which changes nothing. */
  readonly onStoringFailure: (error: unknown) => void
  readonly turnWait_ms_max?: number
}

const turnWait_ms_max = 10_000
const turnPoll_ms = 100

const [recipePart, answerPart] = ['recipe', 'answer']

/** Keeps what is needed in rows; two requests with one key take turns, also where they reach different processes. */
export function idempotencyOver(settings: IdempotencySettings): Idempotency {
  const turns = keyedQueue()
  return {
    once(request, run) {
      const seal = requestSeal(settings.secret, request)
      return turns.run(seal.id.toString('base64'), () => inTurn(settings, seal, run))
    },
  }
}

type Run = (origin: CommandOrigin) => Promise<Outcome>

async function inTurn(settings: IdempotencySettings, seal: RequestSeal, run: Run): Promise<Answer> {
  const { rows, origins } = settings
  const until = performance.now() + (settings.turnWait_ms_max ?? turnWait_ms_max)
  const recipe = origins.newRecipe()
  const row = newRow(seal, recipe)
  do {
    const claimed = await rows.claim(row)
    if (claimed.outcome === 'taken') {
      const { turn, earlier } = claimed
      const origin = earlier ? origins.follow(recipeOf(seal, earlier), true) : origins.follow(recipe, false)
      return runAndKeep(settings, { seal, turn }, () => run(origin))
    }
    if (!seal.fingerprint.equals(claimed.row.fingerprint)) return reject('CONFLICT')
    if (claimed.row.sealedAnswer) return replayed(seal, claimed.row.sealedAnswer)
    await new Promise((resolve) => setTimeout(resolve, turnPoll_ms))
  } while (performance.now() < until)
  return reject('CONFLICT')
}

function newRow(seal: RequestSeal, recipe: OriginRecipe): Omit<IdempotencyRow, 'sealedAnswer'> {
  return {
    id: seal.id,
    fingerprint: seal.fingerprint,
    commandId: recipe.commandId,
    sealedRecipe: seal.seal(recipePart, JSON.stringify(recipe)),
  }
}

/** Sealed by newRow, and authenticated since. */
function recipeOf(seal: RequestSeal, { sealedRecipe }: IdempotencyRow): OriginRecipe {
  return JSON.parse(seal.unseal(recipePart, sealedRecipe)) as OriginRecipe
}

interface Held {
  readonly seal: RequestSeal
  readonly turn: Turn
}

async function runAndKeep(settings: IdempotencySettings, held: Held, run: () => Promise<Outcome>): Promise<Answer> {
  const { rows, onStoringFailure } = settings
  const outcome = await run().catch(async (error: unknown) => {
    await rows.release(held.turn).catch(onStoringFailure)
    throw error
  })
  try {
    return await keep(settings, held, outcome)
  } catch (error) {
    onStoringFailure(error)
    await rows.release(held.turn).catch(onStoringFailure)
    return outcome.answer
  }
}

/**
 * Where the turn was over, for a process that hung, the request that took the next one may have answered by now: then this one
 * answers the same.
 */
async function keep({ rows }: IdempotencySettings, { seal, turn }: Held, { answer, counts }: Outcome): Promise<Answer> {
  if (counts === 'void') await rows.remove(turn)
  else if (counts === 'open') await rows.release(turn)
  else if (!(await rows.answer(turn, seal.seal(answerPart, JSON.stringify(answer))))) {
    const later = await rows.find(seal.id)
    if (later?.sealedAnswer && seal.fingerprint.equals(later.fingerprint)) return replayed(seal, later.sealedAnswer)
  }
  return answer
}

/** Answers of operations are JSON text or nothing, so they come back as they were. */
function replayed(seal: RequestSeal, sealedAnswer: Uint8Array): Answer {
  const answer = JSON.parse(seal.unseal(answerPart, sealedAnswer)) as Answer
  return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } }
}
