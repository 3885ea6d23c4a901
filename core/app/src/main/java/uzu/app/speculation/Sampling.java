package uzu.app.speculation;

import uzu.SamplingMethod;

/** How the tokens of a measured reply are drawn. */
enum Sampling {
    GREEDY("greedy", 0, 1),
    WARM("T=0.7", 0.7, 0.95),
    /** Nearly every token is as likely as any other: nobody can guess what is drawn. */
    RANDOM("T=20", 20, 1);

    private final String title;
    private final double temperature;
    private final double topP;

    Sampling(String title, double temperature, double topP) {
        this.title = title;
        this.temperature = temperature;
        this.topP = topP;
    }

    String title() {
        return title;
    }

    double temperature() {
        return temperature;
    }

    double topP() {
        return topP;
    }

    SamplingMethod method() {
        return this == GREEDY
                ? new SamplingMethod.Greedy()
                : SamplingMethod.Stochastic.create()
                        .withTemperature(temperature)
                        .withTopP(topP);
    }
}
