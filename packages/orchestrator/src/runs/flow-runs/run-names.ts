// Names for runs that were given none: two words are easier to remember and to say than an id.

import { randomInt } from "node:crypto";

const QUALITIES =
  "able agile amber ample arctic azure bold brave breezy bright brisk calm candid careful cheerful chilly clever coastal copper cosmic cozy crimson crisp curious daring dapper deft distant dusty eager early earnest elegant fabled fair famous fleet fluent fond frank fresh gallant gentle gifted glad golden grand green handy happy hardy honest humble icy ideal indigo jolly jovial keen kind lively loyal lucid lucky lunar magic mellow merry mighty misty modest navy neat nimble noble novel olive opal orderly patient placid plucky polar polite prime proud quick quiet radiant rapid ready regal robust rosy royal rustic sage scarlet serene sharp shiny silent silver sincere sleek smooth snowy solar solid spry stable steady stellar still sturdy subtle sunny swift tawny tender tidy topaz tranquil trusty upbeat valiant velvet vivid warm wary whole wild wise witty young zesty";
const CREATURES =
  "adder albatross alpaca ant antelope badger bat bear beaver bee beetle bison boar bobcat buffalo bulldog bullfrog butterfly camel caribou cat cheetah chinchilla cicada clam cobra cod condor cormorant cougar coyote crab crane cricket crow cuckoo curlew deer dingo dolphin donkey dove dragonfly duck eagle eel egret elephant elk emu falcon ferret finch firefly flamingo fox frog gazelle gecko gibbon giraffe goose grouse guppy hare hawk hedgehog heron hippo hornet horse hyena ibex ibis iguana jackal jaguar jay kangaroo kestrel kiwi koala lark lemming lemur leopard lion lizard llama lobster lynx macaw magpie mammoth manatee mantis marmot marten meerkat mink mole mongoose moose moth mouse mule narwhal newt nightingale ocelot octopus okapi opossum orca oriole ostrich otter owl oyster panda panther parrot partridge pelican penguin petrel pheasant pigeon pony porcupine puffin puma python quail rabbit raccoon raven reindeer robin rook salamander salmon seal shark shrew skunk sloth snail sparrow spider squid squirrel starling stork swallow swan tapir tern tiger toad tortoise toucan trout tuna turtle viper vole vulture wallaby walrus wasp weasel whale wolf wolverine wombat woodpecker wren yak zebra";

const qualities = QUALITIES.split(" ");
const creatures = CREATURES.split(" ");

const pick = (words: readonly string[]): string => words[randomInt(words.length)] ?? "";

export function randomRunName(): string {
  return `${pick(qualities)}-${pick(creatures)}`;
}
