// Plays levels in GVGAI, whose classes are on the path: it reads what to do line by line, and answers each.
//
//   load GAME LEVEL   two files, after which the level begins; whatever there was is forgotten
//   again             the level begins once more
//   left, noop, ...   a tick with that key, or with none
//
// An answer is a line `= {"over": ..., "won": ..., "sprites": {"crate": [[row, column], ...]}}`; what has gone
// wrong is a line `! ...`. Anything else is GVGAI's own talk. A sprite between two cells is something wrong.

import core.game.ForwardModel;
import core.game.Game;
import core.game.StateObservation;
import core.logging.Logger;
import core.vgdl.VGDLFactory;
import core.vgdl.VGDLParser;
import core.vgdl.VGDLRegistry;
import core.vgdl.VGDLSprite;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import ontology.Types;

final class GvgaiRunner {
    private static final Map<String, Types.ACTIONS> KEYS = Map.of(
        "noop", Types.ACTIONS.ACTION_NIL,
        "up", Types.ACTIONS.ACTION_UP,
        "down", Types.ACTIONS.ACTION_DOWN,
        "left", Types.ACTIONS.ACTION_LEFT,
        "right", Types.ACTIONS.ACTION_RIGHT,
        "space", Types.ACTIONS.ACTION_USE);

    private static Game game;
    private static StateObservation now;
    private static String[] loaded;

    public static void main(String[] arguments) throws Exception {
        VGDLFactory.GetInstance().init();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            try {
                System.out.println("= " + answer(line.split("\t")));
            } catch (Exception wrong) {
                System.out.println("! " + wrong);
            }
            System.out.flush();
        }
    }

    private static String answer(String[] words) throws Exception {
        if (words[0].equals("load")) {
            loaded = words;
            VGDLRegistry.GetInstance().init();
            game = new VGDLParser().parseGame(words[1]);
            game.buildLevel(words[2], 0);
            Logger.getInstance().flushMessages(); // after 25 warnings (signs that stand for nothing) it would end the game
            now = game.getObservation().copy();
        } else if (words[0].equals("again")) {
            answer(loaded); // effects that remember the last tick (pullWithIt) are shared by copies
        } else {
            now.advance(KEYS.get(words[0]));
        }
        return shown();
    }

    private static String shown() throws Exception {
        Field hidden = StateObservation.class.getDeclaredField("model");
        hidden.setAccessible(true);
        ForwardModel model = (ForwardModel) hidden.get(now);
        List<String> types = new ArrayList<>();
        for (int type = 0; type < VGDLRegistry.GetInstance().numSpriteTypes(); type++) {
            List<String> cells = new ArrayList<>();
            for (VGDLSprite sprite : model.getSprites(type)) {
                cells.add(cell(sprite));
            }
            if (!cells.isEmpty()) {
                types.add("\"" + VGDLRegistry.GetInstance().getRegisteredSpriteKey(type) + "\": " + cells);
            }
        }
        boolean won = now.getGameWinner() == Types.WINNER.PLAYER_WINS;
        return "{\"over\": " + now.isGameOver() + ", \"won\": " + won
            + ", \"sprites\": {" + String.join(", ", types) + "}}";
    }

    private static String cell(VGDLSprite sprite) {
        int size = game.getBlockSize();
        if (sprite.rect.x % size != 0 || sprite.rect.y % size != 0) {
            throw new IllegalStateException("a sprite stands between two cells: " + sprite.name);
        }
        return "[" + sprite.rect.y / size + ", " + sprite.rect.x / size + "]";
    }
}
