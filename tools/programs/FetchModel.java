import uzu.DownloaderStream;
import uzu.DownloaderStreamUpdate;
import uzu.Engine;
import uzu.Model;
import uzu.UzuException;

/** {@code FetchModel IDENTIFIER}: fetches a model where it is not there yet, and prints where it lies. */
public final class FetchModel {
    private static final long MEBIBYTE = 1 << 20;

    private FetchModel() {}

    public static void main(String[] arguments) {
        try (Engine engine = Engine.create()) {
            Model model = engine.model(arguments[0]);
            if (model == null) {
                throw new UzuException.ModelNotFound("no model is called " + arguments[0]);
            }
            if (engine.modelPath(model) == null) {
                fetch(engine, model);
            }
            System.out.println(engine.modelPath(model));
        } catch (UzuException e) {
            System.err.println("FetchModel: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void fetch(Engine engine, Model model) {
        int shown = -1;
        try (DownloaderStream updates = engine.download(model)) {
            for (DownloaderStreamUpdate update : updates) {
                int tenths = (int) (update.progress() * 10);
                if (tenths != shown) {
                    shown = tenths;
                    System.err.printf(
                            "tools: fetching %s: %d of %d MiB%n",
                            model.identifier(),
                            update.bytesDownloaded() / MEBIBYTE,
                            update.bytesTotal() / MEBIBYTE);
                }
            }
        }
    }
}
