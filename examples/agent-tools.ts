/**
 * Lets a language model read a system with a few tools. A stand-in plays the turns of the model, so that the program
 * runs without an account. A real model takes `toAnthropic(made)` as its `tools`; the loop is the same.
 */
import { callTool, connect, type Tool, toAnthropic, tools } from 'conex'
import { place } from './place.ts'

const asana = connect('asana', { credentials: { token: process.env.ASANA_TOKEN! }, ...place })
const made = await tools(asana, { maxCharacters: 5000, omitEmpty: true })

interface Call {
  readonly name: string
  readonly input: object
}

const answers: string[] = []
for (let call = model(made, answers); typeof call !== 'string'; call = model(made, answers)) {
  const answer = await callTool(made, call.name, call.input)
  console.log(`${call.name} ${JSON.stringify(call.input)}: ${answer.length} characters`)
  answers.push(answer)
}
console.log(model(made, answers))
await asana.close()

/** Plays the model: looks at the tools and the results, and asks for the next call or sums up. */
function model(offered: readonly Tool[], heard: readonly string[]): Call | string {
  const names = toAnthropic(offered).map(({ name }) => name)
  const [describe, execute] = ['describe', 'execute'].map((end) => names.find((name) => name.endsWith(end))!)
  if (heard.length === 0) return { name: describe!, input: { entity: 'users' } }
  if (heard.length === 1) return { name: execute!, input: { entity: 'workspaces', action: 'list' } }
  // The records come first, and then a sentence on how to go on.
  const read = (text: string) => JSON.parse(text.split(/(?<=\])\n/, 1)[0]!) as { gid: string; name: string }[]
  const [workspace] = read(heard[1]!)
  if (heard.length === 2) {
    const params = { workspace: workspace!.gid }
    return { name: execute!, input: { entity: 'users', action: 'list', params, select_fields: ['name'] } }
  }
  return `There are ${read(heard[2]!).length} people in ${workspace!.name}.`
}
